import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { viewports, webBrowser, webUser } from '../chromium.ts'
import { direct, sender } from '../messages.ts'
import { testServer } from '../test-server.ts'
import { expectStateToMatch, letCompare } from './state-in-browser.ts'

const { organization } = testServer()
const browser = webBrowser()

async function scene() {
  const org = await organization()
  const [ana, bo] = [await webUser(org, 'Ana Ruiz'), await webUser(org, 'Bo Lind')]
  const channel = await org.channel({ name: 'design', subscribers: [ana, bo] })
  return { org, ana, bo, channel, say: sender(bo, channel) }
}

const rowOf = (page: Page, name: string) =>
  page.locator('.inbox-row', { has: page.locator('.inbox-name', { hasText: name }) })

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

test('conversations older than the newest messages are found on request', async () => {
  const { org, ana, say } = await scene()
  await say('Oldest', 'Hello')
  for (let i = 0; i < 500; i++) await say('Busy', `Number ${i}`)
  const { page } = await browser.open(org, ana, '#recent')
  const row = (name: string) => rowOf(page, name)
  await row('Busy').waitFor()
  expect(await row('Oldest').count()).toBe(0)
  const older = page.getByRole('button', { name: 'Load older messages' })
  await older.click()
  await row('Oldest').waitFor()
  await older.waitFor({ state: 'detached' })
})
