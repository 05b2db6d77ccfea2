import { expect, test } from 'vitest'
import { openPage, webBrowser } from '../../browser/chromium.ts'
import { sharedServer } from '../../test-server.ts'
import { twoPeople } from '../two-people.ts'

const { organization } = sharedServer()
const browser = webBrowser()

// A browser opens six connections to the tests' server, which speaks HTTP/1.1.
test('seven tabs of one browser hear of messages, and can send some', async () => {
  const { org, ana, say, topic } = await twoPeople(organization)
  await say('Icons', 'The first')
  const { page, context, url } = await browser.open(org, ana, topic('Icons'))
  const pages = [page]
  while (pages.length < 7) pages.push((await openPage(context, url + topic('Icons'))).page)
  await page.evaluate(`words = 0; new BroadcastChannel('rookery.connections').onmessage = () => words++`)
  const allShow = (text: string, among = pages) =>
    Promise.all(among.map((one) => one.locator('article:not(.outgoing)', { hasText: text }).waitFor()))
  await say('Icons', 'The second')
  await allShow('The second')
  for (const index of [0, 6]) {
    const one = pages[index]!
    await one.evaluate("dispatchEvent(new Event('focus'))")
    const box = one.getByRole('textbox', { name: /Icons/ })
    await box.fill(`From tab ${index}`)
    await box.press('Control+Enter')
    await allShow(`From tab ${index}`, [one])
  }
  await allShow('From tab 6')
  // If each of what tabs say to each other caused more of it, this would be tens of thousands.
  expect(await page.evaluate('words')).toBeLessThan(500)
  // The connections of those that close are free for others.
  for (const one of pages.slice(3)) await one.close()
  await say('Icons', 'The last')
  await allShow('The last', pages.slice(0, 3))
  expect(await page.locator('article', { hasText: 'From tab' }).count()).toBe(2)
})
