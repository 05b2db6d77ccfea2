import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { webBrowser, webUser } from '../../browser/chromium.ts'
import { contentsOf, sender } from '../../messages.ts'
import { sharedServer } from '../../test-server.ts'

// An action on several messages or topics concerns those that are selected at that moment: all of them or none.

const { organization } = sharedServer()
const browser = webBrowser()

async function scene() {
  const org = await organization()
  const boss = await webUser(org, 'Di Boss')
  await org.owner.patch(`/users/${boss.id}`, { role: 200 })
  const channel = await org.channel({ name: 'birds', creator: boss, subscribers: [boss] })
  const topics = async () => [...new Set((await contentsOf(boss, channel)).map(([topic]) => topic))]
  return { org, boss, channel, topics, send: sender(boss, channel) }
}

const chosenTopics = (page: Page) => page.getByRole('toolbar', { name: 'Selected topics' })
const choose = (page: Page, name: string) => page.getByLabel(`Select “${name}”`).check()

test('a topic is resolved, also after its newest message has moved to another one', async () => {
  const { org, boss, channel, topics, send } = await scene()
  await send('Ducks', 'Quack')
  const moved = await send('Ducks', 'Honk')
  await send('Geese', 'Honk honk')
  const { page } = await browser.open(org, boss, `#topics/channel/${channel.id}`)
  await choose(page, 'Ducks')
  await boss.patch(`/messages/${moved}`, {
    topic: 'Geese',
    propagate_mode: 'change_one',
    send_notification_to_new_thread: false,
  })
  await chosenTopics(page).getByRole('button', { name: 'Mark as resolved' }).click()
  await page.getByText('Done with 1 topic.').waitFor()
  expect((await topics()).toSorted()).toEqual(['Geese', '✔ Ducks'])
})

test('topics stay selected when not all of them were done', async () => {
  const { org, boss, channel, send } = await scene()
  await send('Ducks', 'Quack')
  await send('Geese', 'Honk')
  const { page } = await browser.open(org, boss, `#topics/channel/${channel.id}`)
  await choose(page, 'Ducks')
  await choose(page, 'Geese')
  const failed = { result: 'error', code: 'BAD_REQUEST', msg: 'Not today' }
  await page.route('**/delete_topic', (route) => route.fulfill({ status: 400, json: failed }))
  await chosenTopics(page).getByRole('button', { name: 'Delete' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText(/^2 messages by Di Boss/).waitFor()
  await dialog.getByRole('button', { name: 'Delete' }).click()
  await page.getByText('Not today').waitFor()
  await dialog.waitFor({ state: 'detached' })
  await chosenTopics(page).getByText('2 selected').waitFor()
})

/** Selects the messages that are shown, the oldest first. */
async function selectAll(page: Page, texts: string[]) {
  for (const text of texts) {
    const row = page.locator('article.row', { hasText: text })
    await row.click({ modifiers: ['Control'] })
  }
}

const bar = (page: Page) => page.getByRole('toolbar', { name: 'Selected messages' })

test('more messages than the server takes together are deleted to the last one', async () => {
  const { org, boss, channel, send } = await scene()
  await send('Ducks', 'Quack')
  await send('Ducks', 'Honk')
  const { page } = await browser.open(org, boss, `#narrow/channel/${channel.id}/topic/Ducks`)
  await selectAll(page, ['Quack', 'Honk'])
  await bar(page).getByRole('button', { name: 'Delete' }).click()
  let [asked, goOn] = [0, () => {}]
  const shown = new Promise<void>((resolve) => {
    goOn = resolve
  })
  // The page also marks what it shows as read, at any time.
  await page.route(/\/json\/messages\/\d+$/, async (route) => {
    // The second message is refused at first. It goes once its delay was seen.
    if (++asked === 3) await shown
    if (asked !== 2) return route.continue()
    const json = { result: 'error', code: 'RATE_LIMIT_HIT', msg: 'API usage exceeded rate limit' }
    return route.fulfill({ status: 429, headers: { 'retry-after': '1' }, json })
  })
  const dialog = page.getByRole('dialog', { name: 'Delete messages' })
  await dialog.getByRole('button', { name: 'Delete' }).click()
  await dialog.getByText('1 of 2 done').waitFor()
  goOn()
  await page.getByText('2 messages deleted.').waitFor()
  expect(await contentsOf(boss, channel)).toEqual([])
})

test('messages of several channels are not moved unless all of them may be', async () => {
  const { org, boss, channel, send } = await scene()
  const ana = await webUser(org, 'Ana Ruiz')
  const other = await org.channel({ name: 'trees', creator: boss, subscribers: [boss, ana] })
  await ana.post('/users/me/subscriptions', { subscriptions: [{ name: 'birds' }] })
  await send('Ducks', 'Quack')
  await sender(boss, other)('Oaks', 'Acorn')
  const own = { direct_members: [ana.id], direct_subgroups: [] }
  const nobody = { direct_members: [], direct_subgroups: [] }
  await org.owner.patch('/realm', { can_move_messages_between_channels_group: { new: nobody } })
  await boss.patch(`/streams/${channel.id}`, { can_move_messages_out_of_channel_group: { new: own } })
  const { page } = await browser.open(org, ana, '#feed')
  await selectAll(page, ['Quack', 'Acorn'])
  await bar(page).getByRole('button', { name: 'Move' }).click()
  const dialog = page.getByRole('dialog', { name: 'Move messages' })
  await dialog.getByText('You may not move all of these messages to another channel.').waitFor()
  expect(await dialog.getByRole('button', { name: 'Move' }).isDisabled()).toBe(true)
})

test('a topic can be moved although the names of other topics cannot be read', async () => {
  const { org, boss, channel, topics, send } = await scene()
  await send('Ducks', 'Quack')
  const { page, problems } = await browser.open(org, boss, `#narrow/channel/${channel.id}/topic/Ducks`)
  const failed = { result: 'error', code: 'BAD_REQUEST', msg: 'No names today' }
  await page.route('**/json/users/me/*/topics*', (route) => route.fulfill({ status: 400, json: failed }))
  await page.getByRole('button', { name: 'Topic actions' }).click()
  await page.getByRole('menuitem', { name: 'Move the topic' }).click()
  const dialog = page.getByRole('dialog', { name: 'Move the topic' })
  await dialog.getByText('No names today').waitFor()
  await dialog.getByLabel('Topic', { exact: true }).fill('Swans')
  await dialog.getByRole('button', { name: 'Move' }).click()
  await page.getByText('Moved.').waitFor()
  expect(await topics()).toEqual(['Swans'])
  expect(problems.filter((text) => !text.includes('400'))).toEqual([])
})
