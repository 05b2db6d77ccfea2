import { sql } from 'kysely'
import type { Page, Route } from 'playwright-core'
import { expect, test } from 'vitest'
import { viewports, type WebUser, webBrowser } from '../../browser/chromium.ts'
import { direct, sender } from '../../messages.ts'
import { sharedServer } from '../../test-server.ts'
import { expectStateToMatch, letCompare } from '../state-in-browser.ts'
import { twoPeople } from '../two-people.ts'

const { organization } = sharedServer()
const browser = webBrowser()

const scene = () => twoPeople(organization)

const rowOf = (page: Page, name: string) =>
  page.locator('.inbox-row', { has: page.locator('.inbox-name', { hasText: name }) })

/** Holds the answer to the next request to an address. `answered` gives what lets it go on, once the server has answered. */
async function hold(page: Page, user: WebUser, address: RegExp) {
  let hasAnswered: (free: () => Promise<void>) => void = () => {}
  const answered = new Promise<() => Promise<void>>((resolve) => {
    hasAnswered = resolve
  })
  const keep = async (route: Route) => {
    const query = new URL(route.request().url()).searchParams
    const { body } = await user.get('/messages', Object.fromEntries(query))
    hasAnswered(() => route.fulfill({ json: body }))
  }
  await page.route(address, keep, { times: 1 })
  return { answered }
}

test.each(['wide', 'phone'] as const)(
  'the inbox shows a line of the newest message of each conversation, with few requests (%s)',
  async (size) => {
    const { org, ana, bo, channel, say } = await scene()
    for (const topic of ['One', 'Two', 'Three']) await say(topic, `First in **${topic}**`)
    const id = await say('Two', 'Second in two')
    await direct(bo, [ana], 'Look at the notes')
    const { page, context, url } = await browser.open(org, ana, '#drafts', { viewport: viewports[size] })
    await letCompare(page)
    const fetched: string[] = []
    context.on(
      'request',
      (request) => request.url().includes('/json/messages?') && fetched.push(request.url()),
    )
    await page.goto(`${url}#inbox`)
    const row = (name: string) => rowOf(page, name)
    await row('One').getByText('Bo Lind: First in One').waitFor()
    await row('Two').getByText('Bo Lind: Second in two').waitFor()
    await page.locator('.inbox-row', { hasText: 'Look at the notes' }).waitFor()
    expect(fetched).toHaveLength(1)
    await bo.patch(`/messages/${id}`, { content: 'Changed in two' })
    await row('Two').getByText('Bo Lind: Changed in two').waitFor()
    await expectStateToMatch(page)
    const next = await sender(bo, channel)('One', 'Another')
    await row('One').getByText('Bo Lind: Another').waitFor()
    await org.owner.delete(`/messages/${next}`)
    await row('One').getByText('Bo Lind: First in One').waitFor()
    expect(fetched).toHaveLength(1)
  },
)

test('an edit counts that comes while the inbox waits for its lines', async () => {
  const { org, ana, bo, say } = await scene()
  const id = await say('One', 'As it was')
  const { page, url } = await browser.open(org, ana, '#drafts')
  const { answered } = await hold(page, ana, /json\/messages\?.*message_ids/)
  await page.goto(`${url}#inbox`)
  const free = await answered
  await bo.patch(`/messages/${id}`, { content: 'Changed' })
  await say('Two', 'Later')
  await page.getByText('Bo Lind: Later').waitFor()
  await free()
  await page.getByText('Bo Lind: Changed').waitFor()
})

test('a row of the inbox keeps the focus while messages come', async () => {
  const { org, ana, say } = await scene()
  for (const topic of ['One', 'Two']) await say(topic, 'Hello')
  const { page } = await browser.open(org, ana, '#inbox')
  const link = rowOf(page, 'One').locator('a')
  await link.focus()
  await say('Two', 'More')
  await page.getByText('Bo Lind: More').waitFor()
  await say('One', 'More in one')
  await page.getByText('Bo Lind: More in one').waitFor()
  expect(await page.evaluate<string>('document.activeElement.textContent')).toContain('More in one')
})

test('recent conversations are filtered and ordered, and new messages come to the top', async () => {
  const { org, ana, bo, channel, say } = await scene()
  await ana.post('/user_topics', { stream_id: channel.id, topic: 'Followed', visibility_policy: 3 })
  await sender(ana, channel)('Mine', 'Hello')
  for (const text of ['a', 'b', 'c']) await say('Many', text)
  await say('Followed', 'Hello')
  await direct(bo, [ana], 'Hello')
  const { page } = await browser.open(org, ana, '#recent')
  const names = async () => {
    const all = await page.locator('.recent .inbox-name').allInnerTexts()
    return all.filter((name) => name !== 'Welcome Bot')
  }
  const shown = (list: string[]) =>
    expect.poll(async () => (await names()).map((text) => text.replace(/^design › /, ''))).toEqual(list)
  await shown(['Bo Lind', 'Followed', 'Many', 'Mine'])
  const chip = (name: string) => page.getByRole('button', { name, exact: true })
  await chip('Followed').click()
  // Ana has begun the other topic, so she follows it as well.
  await shown(['Followed', 'Mine'])
  await chip('Participated').click()
  await shown(['Mine'])
  const directs = page.locator('.recent').getByRole('button', { name: 'Direct messages' })
  await directs.click()
  await page.getByText('No matches. Try fewer filters.').waitFor()
  for (const name of ['Participated', 'Followed']) await chip(name).click()
  await shown(['Bo Lind'])
  await ana.post('/mark_all_as_read')
  await chip('Unread').click()
  await page.getByText('No matches. Try fewer filters.').waitFor()
  await chip('Unread').click()
  await directs.click()
  for (const text of ['d', 'e']) await say('Many', text)
  await say('Followed', 'More')
  await shown(['Followed', 'Many', 'Bo Lind', 'Mine'])
  await page.getByRole('combobox', { name: 'Order' }).selectOption('unread')
  await shown(['Many', 'Followed', 'Bo Lind', 'Mine'])
  await page.getByRole('combobox', { name: 'Order' }).selectOption('time')
  const id = await say('Mine', 'Back to the top')
  await shown(['Mine', 'Followed', 'Many', 'Bo Lind'])
  await page.getByRole('img', { name: 'Bo Lind, Ana Ruiz' }).waitFor()
  await bo.patch(`/messages/${id}`, { topic: 'Moved' })
  await shown(['Moved', 'Followed', 'Many', 'Bo Lind', 'Mine'])
})

test('a day of another year is shown with its year', async () => {
  const { org, ana, say } = await scene()
  const id = await say('Long ago', 'Hello')
  const year = new Date().getFullYear() - 3
  const at = Date.UTC(year, 5, 15, 12) / 1000
  await org.log.commit((change) =>
    change.run(sql`UPDATE message SET sent_at = ${at} WHERE realm_id = ${org.id} AND id = ${id}`),
  )
  const { page } = await browser.open(org, ana, '#recent')
  await page.locator('.inbox-row', { hasText: 'Long ago' }).getByText(`Jun 15, ${year}`).waitFor()
})

test('conversations older than the newest messages are found on request', async () => {
  const { org, ana, bo, say } = await scene()
  const oldest = await say('Oldest', 'Hello')
  for (let i = 0; i < 500; i++) await say('Busy', `Number ${i}`)
  const { page } = await browser.open(org, ana, '#recent')
  const row = (name: string) => rowOf(page, name)
  await row('Busy').waitFor()
  expect(await row('Oldest').count()).toBe(0)
  const older = page.getByRole('button', { name: 'Load older messages' })
  const { answered } = await hold(page, ana, /json\/messages\?/)
  await older.click()
  const free = await answered
  await bo.patch(`/messages/${oldest}`, { topic: 'Moved' })
  await say('Later', 'Hello')
  await row('Later').waitFor()
  await free()
  await row('Moved').waitFor()
  expect(await row('Oldest').count()).toBe(0)
  await older.waitFor({ state: 'detached' })
})

test('recent conversations are read again after a failure, and after the event queue has gone', async () => {
  const { org, ana, bo, channel, say } = await scene()
  await say('One', 'Hello')
  const { page, context, url, problems } = await browser.open(org, ana, '#drafts')
  await page.route(/json\/messages\?/, (route) => route.fulfill({ status: 400, json: failed }), { times: 1 })
  await page.goto(`${url}#recent`)
  await page.locator('.notice', { hasText: 'Not today' }).waitFor()
  await page.getByRole('button', { name: 'Try again' }).click()
  await rowOf(page, 'One').waitFor()
  expect(problems.filter((text) => !/400/.test(text))).toEqual([])
  const registered = page.waitForResponse(/json\/register/)
  await page.reload()
  const { queue_id } = await (await registered).json()
  await rowOf(page, 'One').waitFor()
  await context.setOffline(true)
  await say('Missed', 'Hello')
  await ana.delete('/events', { queue_id })
  await context.setOffline(false)
  await rowOf(page, 'Missed').waitFor()
  await ana.post('/user_topics', { stream_id: channel.id, topic: 'One', visibility_policy: 3 })
  await org.owner.patch(`/streams/${channel.id}`, { is_private: true })
  await org.owner.delete('/users/me/subscriptions', { subscriptions: ['design'], principals: [ana.id] })
  await direct(bo, [ana], 'Hello')
  await rowOf(page, 'Bo Lind').waitFor()
  await expect.poll(() => rowOf(page, 'One').count()).toBe(0)
})

const failed = { result: 'error', msg: 'Not today', code: 'BAD_REQUEST' }
