import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { webBrowser } from '../../browser/chromium.ts'
import { sharedServer } from '../../test-server.ts'
import { twoPeople } from '../two-people.ts'

// What the pointer has opened beside a message gives the focus back to that message, whose buttons have gone by then.

const { organization } = sharedServer()
const browser = webBrowser()

async function openTopic() {
  const made = await twoPeople(organization)
  for (const text of ['Too round', 'Too square', 'Just right']) await made.say('Icons', text)
  const { page } = await browser.open(made.org, made.ana, made.topic('Icons'))
  await rowOf(page, 'Too square').waitFor()
  return { ...made, page }
}

const rowOf = (page: Page, text: string) => page.locator('article', { hasText: text })

async function press(page: Page, name: string) {
  await rowOf(page, 'Too square').hover()
  await rowOf(page, 'Too square').getByRole('button', { name }).click()
  // As the hand does on its way to what has opened.
  await page.mouse.move(5, 5)
}

const opened: [string, (page: Page) => Promise<unknown>][] = [
  ['menu', (page) => page.getByRole('menu').waitFor()],
  ['source', (page) => choose(page, /^View source/, 'View source')],
  ['reminder', (page) => choose(page, /^Remind me/, 'Remind me')],
  ['list of channels and topics', (page) => choose(page, /^Forward/, 'Forward')],
]

async function choose(page: Page, entry: RegExp, dialog: string) {
  await page.getByRole('menuitem', { name: entry }).click()
  await page.getByRole('dialog', { name: dialog }).waitFor()
}

test.each(opened)('Escape in what a message opens leads back to the message: %s', async (_, open) => {
  const { page } = await openTopic()
  await press(page, 'More actions')
  await open(page)
  await page.keyboard.press('Escape')
  await page.locator('dialog, [role=menu]').waitFor({ state: 'detached' })
  await expect.poll(() => focusedText(page)).toContain('Too square')
})

test('the emoji that was chosen, or not, leads back to the message', async () => {
  const { page } = await openTopic()
  const picker = page.getByRole('dialog', { name: 'Emoji' })
  for (const key of ['Escape', 'Enter']) {
    await press(page, 'Add a reaction')
    await picker.getByRole('combobox').fill('tada')
    await picker.getByRole('option').first().waitFor()
    await page.keyboard.press(key)
    await picker.waitFor({ state: 'detached' })
    await expect.poll(() => focusedText(page)).toContain('Too square')
  }
})

test.each([
  ['c', '[role=combobox] >> nth=-1'],
  ['x', '[role=combobox]'],
  ['c', 'textarea'],
])(
  'Escape closes a box that was opened by %s, from its field %s, and leads back to the message',
  async (key, field) => {
    const { page } = await openTopic()
    await rowOf(page, 'Too square').locator('.content').click()
    await page.keyboard.press(key)
    const box = page.locator('.begin-box')
    await box.locator(field).fill('Too b')
    await page.keyboard.press('Escape')
    await box.waitFor({ state: 'detached' })
    await expect.poll(() => focusedText(page)).toContain('Too square')
  },
)

test('a message that is deleted leaves the focus to the next one', async () => {
  const { page, org, ana } = await openTopic()
  await org.owner.patch(`/users/${ana.id}`, { role: 200 })
  await press(page, 'More actions')
  await choose(page, /^Delete/, 'Delete')
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await rowOf(page, 'Too square').waitFor({ state: 'detached' })
  await expect.poll(() => focusedText(page)).toContain('Just right')
})

const focusedText = (page: Page) =>
  page.evaluate<string>(`document.activeElement.matches('article') && document.activeElement.textContent`)
