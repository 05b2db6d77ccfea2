import { expect, test } from 'vitest'
import { webBrowser } from '../../browser/chromium.ts'
import { sender } from '../../messages.ts'
import { sharedServer } from '../../test-server.ts'
import { twoPeople } from '../two-people.ts'

// Searches with terms that exclude: `-channel:design`.

const { organization } = sharedServer()
const browser = webBrowser()

/** Ana and Bo with a second channel, in which Bo writes by `sayThere`. */
async function twoChannels() {
  const people = await twoPeople(organization)
  const other = await people.org.channel({ name: 'support', subscribers: [people.ana, people.bo] })
  return { ...people, other, sayThere: sender(people.bo, other) }
}

test.each([
  ['that lists all but a channel', (id: number) => `#narrow/-channel/${id}/search/elephant`],
  ['within the other channel', (_: number, other: number) => `#narrow/channel/${other}/search/elephant`],
])('a message that moves to a channel leaves a search %s', async (_, hashOf) => {
  const { org, ana, bo, channel, other, say, sayThere } = await twoChannels()
  await say('Zoo', 'An elephant in design')
  const id = await sayThere('Zoo', 'An elephant that goes')
  await sayThere('Garden', 'An elephant that stays')
  const { page } = await browser.open(org, ana, hashOf(channel.id, other.id))
  const found = page.locator('article')
  await found.getByText('that goes').waitFor()
  await bo.patch(`/messages/${id}`, { stream_id: channel.id, propagate_mode: 'change_one' })
  await found.getByText('that goes').waitFor({ state: 'detached' })
  expect(await found.count()).toBe(1)
})

test('a search that excludes a channel which the user cannot see does not call it missing', async () => {
  const { org, ana, bo } = await twoPeople(organization)
  const closed = await org.channel({ name: 'launch', isPrivate: true, subscribers: [bo] })
  const { page } = await browser.open(org, ana, `#narrow/-channel/${closed.id}/search/elephant`)
  await page.locator('.message-area .empty h2').getByText('Nothing matches').waitFor()
})

test('the topics of a channel that a search excludes are not offered', async () => {
  const { org, ana, channel, say, sayThere } = await twoChannels()
  await say('Plan of design', 'Here')
  await sayThere('Plan of support', 'In support')
  const { page } = await browser.open(org, ana, `#narrow/-channel/${channel.id}`)
  await page.locator('article', { hasText: 'In support' }).waitFor()
  await page.keyboard.press('/')
  await page.locator('dialog [role=combobox]:focus').waitFor()
  await page.keyboard.type('topic:plan of')
  await expect
    .poll(() => page.getByRole('option').allInnerTexts())
    .toEqual(['topic: Plan of support', 'topic: plan of'])
})

test('several channels can be excluded', async () => {
  const { org, ana, say, sayThere } = await twoChannels()
  const third = await org.channel({ name: 'garden', subscribers: [ana] })
  await say('Zoo', 'A fox in design')
  await sayThere('Zoo', 'A fox in support')
  await sender(ana, third)('Zoo', 'A fox in the garden')
  const { page } = await browser.open(org, ana, '#inbox')
  await page.keyboard.press('/')
  await page.locator('dialog [role=combobox]:focus').waitFor()
  await page.keyboard.type('-channel:design -channel:support fox')
  const pills = page.locator('dialog .pill')
  await expect
    .poll(async () => (await pills.allInnerTexts()).map((text) => text.trim()))
    .toEqual(['−channel: design', '−channel: support'])
  await page.keyboard.press('Enter')
  await page.locator('article', { hasText: 'in the garden' }).waitFor()
  expect(await page.locator('article').count()).toBe(1)
})

test('a search that excludes a topic is called neither by that topic nor by its channel', async () => {
  const { org, ana, channel, say } = await twoPeople(organization)
  await say('Zoo', 'An elephant')
  await say('Garden', 'A fox')
  const { page } = await browser.open(org, ana, `#narrow/channel/${channel.id}/-topic/Zoo`)
  await page.locator('article', { hasText: 'A fox' }).waitFor()
  expect(await page.getByRole('heading', { level: 1 }).innerText()).toContain('−topic: Zoo')
  expect(await page.title()).toContain('−topic: Zoo')
})

test('a message that loses its star joins a search for those without one', async () => {
  const { org, ana, say } = await twoPeople(organization)
  const id = await say('Zoo', 'An elephant')
  await say('Zoo', 'A fox')
  const star = (op: string) => ana.post('/messages/flags', { messages: [id], op, flag: 'starred' })
  await star('add')
  const { page } = await browser.open(org, ana, '#narrow/-is/starred')
  await page.locator('article', { hasText: 'A fox' }).waitFor()
  expect(await page.locator('article', { hasText: 'An elephant' }).count()).toBe(0)
  await star('remove')
  await page.locator('article', { hasText: 'An elephant' }).waitFor()
})
