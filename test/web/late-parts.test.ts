import { expect, test } from 'vitest'
import { webBrowser } from '../chromium.ts'
import { secureHost, sharedServer } from '../test-server.ts'
import { holdRequests } from './held-requests.ts'
import { twoPeople } from './two-people.ts'

// What the user and others do while parts of the page are still on their way.

const { organization } = sharedServer({ host: secureHost })
const browser = webBrowser()

test('a topic that moves while a page begins takes the view along', async () => {
  const { org, ana, say, topic } = await twoPeople(organization)
  const id = await say('Icons', 'Too round')
  const { page } = await browser.open(org, ana, topic('Icons'))
  const late = await holdRequests(page, '**/assets/afterwards-*.js')
  await page.reload()
  await page.getByText('Too round').waitFor()
  await page.locator('main[aria-busy=false]').waitFor()
  await org.owner.patch(`/messages/${id}`, { topic: 'Logos', propagate_mode: 'change_all' })
  await page.getByText('Too round').waitFor({ state: 'detached' })
  expect(late.count()).toBe(1)
  late.pass()
  await page.getByRole('heading', { level: 1, name: /Logos/ }).waitFor()
  await page.getByText('Too round').waitFor()
})
