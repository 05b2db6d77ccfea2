import { expect, test } from 'vitest'
import { webBrowser } from '../../browser/chromium.ts'
import { sharedServer } from '../../test-server.ts'
import { twoPeople } from '../two-people.ts'

const { organization } = sharedServer()
const browser = webBrowser()

// JavaScript makes two characters of İ, and another letter of Σ at the end of a word. The server does neither.
test('messages come into an open topic in whatever letters its name was written', async () => {
  const { org, ana, say, topic } = await twoPeople(organization)
  for (const [name, other] of [
    ['İskele', 'iskele'],
    ['ΛΙΜΕΝΑΣ', 'λιμενασ'],
  ] as const) {
    await say(name, `first in ${name}`)
    const { page } = await browser.open(org, ana, topic(name))
    await page.locator('article', { hasText: `first in ${name}` }).waitFor()
    await say(other, `then in ${other}`)
    await page.locator('article', { hasText: `then in ${other}` }).waitFor()
    expect(await page.locator('.rail').getByText(other, { exact: true }).count()).toBe(0)
    await page.close()
  }
})
