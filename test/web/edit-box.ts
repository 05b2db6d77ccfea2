import type { Locator, Page } from 'playwright-core'

/** Selects a message of the user and opens its edit box by the key. Returns the field, which has the focus. */
export async function openEditBox(page: Page, id: number): Promise<Locator> {
  await page.locator(`article[data-id="${id}"] .content`).click()
  await page.keyboard.press('e')
  const area = page.locator('.edit-box textarea')
  await area.and(page.locator(':focus')).waitFor()
  return area
}
