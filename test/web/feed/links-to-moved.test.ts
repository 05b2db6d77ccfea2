import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { webBrowser } from '../../browser/chromium.ts'
import { direct, sender } from '../../messages.ts'
import { sharedServer } from '../../test-server.ts'
import { holdRequests } from '../held-requests.ts'
import { twoPeople } from '../two-people.ts'

// Addresses that lead to what has moved, or to nothing.

const { organization } = sharedServer()
const browser = webBrowser()

const titleIs = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name }).waitFor()

test('a link to a message that has moved leads to where it is now', async () => {
  const { org, ana, bo, say, topic } = await twoPeople(organization)
  const id = await say('Icons', 'Are these too round?')
  await say('Icons', 'Or too small?')
  const drafting = await org.channel({ name: 'drafting', subscribers: [ana, bo] })
  await org.owner.patch(`/messages/${id}`, { topic: 'Shapes', stream_id: drafting.id })
  const { page, url } = await browser.open(org, ana, `${topic('Icons')}/near/${id}`)
  await titleIs(page, /drafting.*Shapes/)
  await page.locator('.row.selected', { hasText: 'Are these too round?' }).waitFor()
  await page.goto(`${url}#inbox`)
  await page.goto(`${url}${topic('Icons')}/with/${id}`)
  await titleIs(page, /drafting.*Shapes/)
  await page.locator('.row.selected', { hasText: 'Are these too round?' }).waitFor()
})

test('a link to a message that does not exist shows the conversation, and says that the message is gone', async () => {
  const { org, ana, bo, say, topic } = await twoPeople(organization)
  await say('Icons', 'Are these too round?')
  await direct(bo, [ana], 'Between us')
  const { page, url } = await browser.open(org, ana, `${topic('Icons')}/near/99999`)
  const gone = page.getByText('The message was deleted, or you can no longer see it.')
  await gone.waitFor()
  await page.locator('article', { hasText: 'Are these too round?' }).waitFor()
  await page.getByRole('button', { name: 'Close the notice' }).click()
  await page.reload()
  await gone.waitFor()
  await page.getByRole('button', { name: 'Close the notice' }).click()
  await page.goto(`${url}#narrow/dm/${bo.id}/near/99998`)
  await gone.waitFor()
  await page.locator('article', { hasText: 'Between us' }).waitFor()
})

test('a search for all but a channel stays open where a link to a message of that channel led there', async () => {
  const { org, ana, channel, say } = await twoPeople(organization)
  const id = await say('Icons', 'Are these too round?')
  const { page, url } = await browser.open(org, ana)
  const isFound = page.waitForResponse((response) => response.url().includes(`/messages/${id}`))
  await page.goto(`${url}#narrow/-channel/${channel.id}/near/${id}`)
  await (await isFound).finished()
  await page.getByRole('heading', { name: 'Search' }).waitFor()
  expect(page.url()).toContain('#narrow/-channel/')
})

test('a topic stays open when one of its messages moves while the others are being read', async () => {
  const { org, ana, bo, say, topic } = await twoPeople(organization)
  const id = await say('Icons', 'Are these too round?')
  await say('Icons', 'Or too small?')
  const { page, url } = await browser.open(org, ana, '#inbox')
  const requests = await holdRequests(page, /json\/messages\?/)
  await page.goto(url + topic('Icons'))
  await expect.poll(requests.count).toBeGreaterThan(0)
  await org.owner.patch(`/messages/${id}`, { topic: 'Shapes', send_notification_to_old_thread: false })
  await direct(bo, [ana], 'Seen?')
  await page.getByRole('navigation').getByText('Bo Lind').waitFor()
  expect(decodeURI(new URL(page.url()).hash)).toBe(topic('Icons'))
  requests.pass()
  await page.unrouteAll()
  await page.locator('article').getByText('Or too small?').waitFor()
  await titleIs(page, /Icons/)
})

test.each(['dm/99999', 'sender/99999'])('an address of an unknown user says so: %s', async (path) => {
  const { org, ana } = await twoPeople(organization)
  const { page } = await browser.open(org, ana, `#narrow/${path}`)
  await page.getByRole('main').getByRole('alert').getByText('Unknown user').waitFor()
  expect(await page.getByText('deactivated').count()).toBe(0)
  expect(await page.getByRole('button', { name: 'Try again' }).count()).toBe(0)
})

test('an address of all direct conversations with a user shows them', async () => {
  const { org, ana, bo } = await twoPeople(organization)
  await direct(bo, [ana], 'Between us')
  const { page } = await browser.open(org, ana, `#narrow/dm-including/${bo.id}-Bo-Lind`)
  await titleIs(page, /Bo Lind/)
  await page.locator('article').getByText('Between us').waitFor()
  await direct(bo, [ana, org.owner], 'Among the three of us')
  await page.locator('article').getByText('Among the three of us').waitFor()
})

test('a search that excludes channels by their names excludes all of them', async () => {
  const { org, ana, bo, say } = await twoPeople(organization)
  const [plans, garden] = await Promise.all(
    ['our plans', 'garden'].map((name) => org.channel({ name, subscribers: [ana, bo] })),
  )
  await say('Lunch', 'A fox in design')
  await sender(bo, plans!)('Lunch', 'A fox in plans')
  await sender(bo, garden!)('Lunch', 'A fox in the garden')
  const { page } = await browser.open(org, ana, '#narrow/-channel/design/-stream/our-plans/search/fox')
  await page.locator('article').getByText('in the garden').waitFor()
  expect(await page.locator('article').count()).toBe(1)
})

test.each([
  ['channel/design/topic/Icons', /design.*Icons/],
  ['stream/Design', /design/],
  ['channel/2024-plans/topic/Icons', /2024-plans.*Icons/],
  ['stream/our-2.20plans/subject/Icons', /our 2 plans.*Icons/],
])('a link that names a channel without its id leads to it: %s', async (path, title) => {
  const { org, ana, bo } = await twoPeople(organization)
  for (const name of ['2024-plans', 'our 2 plans']) await org.channel({ name, subscribers: [ana, bo] })
  const { page } = await browser.open(org, ana, `#narrow/${path}`)
  await titleIs(page, title)
  await page.getByRole('textbox', { name: title }).waitFor()
})
