import { expect, test } from 'vitest'
import { webBrowser, webUser } from '../../browser/chromium.ts'
import { sharedServer } from '../../test-server.ts'

const { organization } = sharedServer()
const browser = webBrowser()

test('the web client speaks the language of the browser, and English if it does not know it', async () => {
  const org = await organization()
  const ana = await webUser(org, 'Ana Ruiz')
  for (const [locale, lang, inbox] of [
    ['de-DE', /^de\b/, 'Eingang'],
    ['ar', /^en\b/, 'Inbox'],
  ] as const) {
    const { page, problems } = await browser.open(org, ana, '#inbox', { locale })
    await page.getByRole('heading', { level: 1, name: inbox, exact: true }).waitFor()
    expect(await page.locator('html').getAttribute('lang')).toMatch(lang)
    expect(await page.locator('html').getAttribute('dir')).toBe('ltr')
    expect(problems).toEqual([])
  }
})
