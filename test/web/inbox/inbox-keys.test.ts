import { expect, test } from 'vitest'
import { webBrowser } from '../../browser/chromium.ts'
import { sender } from '../../messages.ts'
import { sharedServer } from '../../test-server.ts'
import { twoPeople } from '../two-people.ts'

const { organization } = sharedServer()
const browser = webBrowser()

test('in the inbox, keys choose a conversation, mark it as read, mute it and open it', async () => {
  const { org, ana, bo, channel } = await twoPeople(organization)
  for (const topic of ['One', 'Two', 'Three', 'Four']) await sender(bo, channel)(topic, 'Hello')
  const { page } = await browser.open(org, ana, '#inbox')
  const row = (name: string) =>
    page.locator('.inbox-row', { has: page.locator('.inbox-name', { hasText: name }) })
  await row('One').waitFor()
  await row('Four').locator('a').focus()
  await page.keyboard.press('e')
  await row('Four').waitFor({ state: 'detached' })
  await page.getByText('1 message marked as read.').waitFor()
  await page.getByRole('button', { name: 'Undo' }).click()
  await row('Four').waitFor()
  await row('Three').locator('a').focus()
  await page.keyboard.press('Shift+M')
  await row('Three').waitFor({ state: 'detached' })
  await row('Four').locator('a').focus()
  await page.keyboard.press('j')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: /One/ }).waitFor()
  expect(page.url()).toContain('topic/One')
})

test.each(['#inbox', '#recent', '#topics'])(
  'words and Enter open a conversation of the list: %s',
  async (hash) => {
    const { org, ana, channel, say } = await twoPeople(organization)
    for (const topic of ['Red one', 'Blue', 'Red two']) await say(topic, 'Hello')
    const { page } = await browser.open(org, ana, hash === '#topics' ? `#topics/channel/${channel.id}` : hash)
    const rows = page.locator('.inbox-row > a')
    await rows.filter({ hasText: 'Blue' }).waitFor()
    const field = page.getByRole('searchbox', { name: 'Filter' })
    await field.fill('red')
    await expect.poll(() => rows.count()).toBe(2)
    await field.press('ArrowDown')
    await rows.first().and(page.locator(':focus')).waitFor()
    await page.keyboard.press('ArrowDown')
    await rows.last().and(page.locator(':focus')).waitFor()
    await field.press('Enter')
    await page.getByRole('heading', { level: 1, name: /Red two/ }).waitFor()
  },
)

test('the inbox names a poll and a list of tasks by their titles', async () => {
  const { org, ana, bo, channel } = await twoPeople(organization)
  const say = sender(bo, channel)
  await say('Food', '/poll What shall we eat?\nRamen\nPizza')
  await say('Travel', '/todo For the trip\nTickets: two')
  await say('Paths', '/poll is a path')
  const { page } = await browser.open(org, ana, '#inbox')
  const previews = () => page.locator('.inbox-preview').allInnerTexts()
  const texts = ['Poll: What shall we eat?', 'Tasks: For the trip', 'Poll: is a path']
  for (const text of texts) await expect.poll(previews).toContainEqual(expect.stringContaining(text))
})
