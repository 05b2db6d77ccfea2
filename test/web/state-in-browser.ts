import type { Page } from 'playwright-core'
import { expect } from 'vitest'

/** Lets the page compare its state with that of a new client. The page is ready then. To be called before `expectStateToMatch`. */
export async function letCompare(page: Page) {
  await page.evaluate("sessionStorage.setItem('rookery.compare', 'yes')")
  await page.reload()
  await expect.poll(() => page.evaluate<boolean>("'__rookery' in window")).toBe(true)
}

/** Fails unless the state that the page has carried forward by events becomes that of a client that registers now. */
export async function expectStateToMatch(page: Page) {
  await expect.poll(() => page.evaluate<string[]>('__rookery.compare()')).toEqual([])
}
