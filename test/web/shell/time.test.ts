import { expect, test } from 'vitest'
import { webBrowser } from '../../browser/chromium.ts'
import { sharedServer } from '../../test-server.ts'
import { twoPeople } from '../two-people.ts'

const { organization } = sharedServer()
const browser = webBrowser()

test('yesterday is the day before today, not what is less than two days ago', async () => {
  const { org, ana, say } = await twoPeople(organization)
  await say('Icons', 'Too round?')
  // A view of messages would mark it as read.
  const { page, url } = await browser.open(org, ana, '#drafts')
  // Whenever this runs, one to two days have passed when the day after tomorrow begins.
  await page.clock.setFixedTime(await page.evaluate<number>('new Date().setHours(48, 1)'))
  await page.goto(`${url}#inbox`)
  await page.reload()
  await page.locator('.inbox-row .inbox-age', { hasText: '2d ago' }).first().waitFor()
})

test('times follow the time zone of the system while the page is open', async () => {
  const { org, ana, say } = await twoPeople(organization)
  await say('Icons', '<time:2031-01-01T22:30:00Z>')
  const { page, context, url } = await browser.open(org, ana, '#inbox')
  const devtools = await context.newCDPSession(page)
  const travel = async (timezoneId: string) => {
    await devtools.send('Emulation.setTimezoneOverride', { timezoneId })
    await page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
  }
  const shown = () => page.locator('article .row-head time').last().innerText()
  await travel('UTC')
  await page.goto(`${url}#feed`)
  await page.locator('article time', { hasText: '10:30 PM' }).waitFor()
  const before = await shown()
  await travel('Asia/Tokyo')
  await page.locator('article time', { hasText: '7:30 AM' }).waitFor()
  expect(await shown()).not.toBe(before)
})
