import { expect, test } from 'vitest'
import { shortAge } from '../../web/lib/time.ts'
import { webBrowser } from '../chromium.ts'
import { sharedServer } from '../test-server.ts'
import { twoPeople } from './two-people.ts'

const { organization } = sharedServer()
const browser = webBrowser()

test('yesterday is the day before today, not what is less than two days ago', () => {
  const at = (text: string) => new Date(text).getTime() / 1000
  const now = at('2026-11-25T10:00')
  expect(shortAge(at('2026-11-24T11:00'), now)).toBe('23h ago')
  expect(shortAge(at('2026-11-24T09:00'), now)).toBe('yesterday')
  expect(shortAge(at('2026-11-23T23:00'), now)).toBe('2d ago')
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
