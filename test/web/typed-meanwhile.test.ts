import { expect, test } from 'vitest'
import { webBrowser } from '../chromium.ts'
import { contentsOf, sender } from '../messages.ts'
import { secureHost, sharedServer } from '../test-server.ts'
import { openEditBox } from './edit-box.ts'
import { holdRequests } from './held-requests.ts'
import { twoPeople } from './two-people.ts'

const { organization } = sharedServer({ host: secureHost })
const browser = webBrowser()

test('text that is added while an edit is being saved stays in its box, and is saved next', async () => {
  const { org, ana, channel, topic } = await twoPeople(organization)
  const id = await sender(ana, channel)('Icons', 'They are round')
  const { page } = await browser.open(org, ana, topic('Icons'))
  const area = await openEditBox(page, id)
  await area.fill('They are very round')
  const saves = await holdRequests(page, `**/json/messages/${id}`)
  await area.press('Control+Enter')
  await expect.poll(saves.count).toBe(1)
  await area.press('End')
  await area.pressSequentially(', and too small')
  saves.pass()
  await page.unroute(`**/json/messages/${id}`)
  await expect.poll(() => contentsOf(ana, channel)).toEqual([['Icons', 'They are very round']])
  await page.locator('.edit-box button.primary[aria-disabled=false]').waitFor()
  expect(await area.inputValue()).toBe('They are very round, and too small')
  await area.press('Control+Enter')
  await area.waitFor({ state: 'detached' })
  expect(await contentsOf(ana, channel)).toEqual([['Icons', 'They are very round, and too small']])
})
