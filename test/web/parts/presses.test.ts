import { expect, test } from 'vitest'
import { webBrowser } from '../../browser/chromium.ts'
import { contentsOf, direct } from '../../messages.ts'
import { testServer } from '../../test-server.ts'
import { holdRequests } from '../held-requests.ts'
import { twoPeople } from '../two-people.ts'

const { organization } = testServer()
const browser = webBrowser()

const scene = () => twoPeople(organization)

test('a draft whose Send is pressed twice is sent once', async () => {
  const { org, ana, channel } = await scene()
  const draft = { type: 'stream', to: [channel.id], topic: 'Icons', timestamp: 1 }
  const drafts = [draft, { ...draft, timestamp: 2 }].map((one) => ({
    ...one,
    content: `At ${one.timestamp}`,
  }))
  await ana.post('/drafts', { drafts })
  const { page } = await browser.open(org, ana, '#drafts')
  const requests = await holdRequests(page, '**/json/drafts/*')
  const row = page.locator('.draft-row', { hasText: 'At 1' })
  await row.getByRole('button', { name: /^Send now/ }).dblclick()
  await row.waitFor({ state: 'detached' })
  requests.pass()
  await expect.poll(() => contentsOf(ana, channel)).toEqual([['Icons', 'At 1']])
})

test('a reminder and a snippet whose deletion is pressed twice are deleted once', async () => {
  const { org, ana, say } = await scene()
  const message_id = await say('Icons', 'Which grey is it?')
  await ana.post('/reminders', { message_id, scheduled_delivery_timestamp: 4_000_000_000 })
  await ana.post('/saved_snippets', { title: 'Greeting', content: 'Hello!' })
  const { page, url } = await browser.open(org, ana, '#drafts')
  const requests = await holdRequests(page, /\/json\/(reminders|saved_snippets)\/\d+$/)
  for (const [hash, name, done] of [
    ['#drafts', /^Delete the reminder/, 'Reminder deleted'],
    ['#settings/snippets', /^Delete the snippet/, 'Deleted'],
  ] as const) {
    await page.goto(url + hash)
    await page.getByRole('button', { name }).dblclick()
    await expect.poll(requests.count).toBe(1)
    requests.pass()
    await page.getByRole('status').getByText(done).waitFor()
    await page.getByRole('button', { name }).waitFor({ state: 'detached' })
  }
  expect(await page.locator('.notice.failure').count()).toBe(0)
})

test('a reaction that is pressed keeps the focus', async () => {
  const { org, ana, bo, say, topic } = await scene()
  const id = await say('Icons', 'Which grey is it?')
  for (const emoji_name of ['tada', 'heart']) await bo.post(`/messages/${id}/reactions`, { emoji_name })
  const { page } = await browser.open(org, ana, topic('Icons'))
  const reaction = page.locator('.reaction', { hasText: '❤' })
  await reaction.focus()
  await page.keyboard.press('Enter')
  await expect.poll(() => reaction.innerText()).toMatch(/2/)
  await page.locator('.reaction:focus', { hasText: '❤' }).waitFor()
  await page.keyboard.press('Enter')
  await expect.poll(() => reaction.innerText()).toMatch(/1/)
  await page.locator('.reaction:focus', { hasText: '❤' }).waitFor()
})

test('a press of a tool of a message counts, although the message changes meanwhile', async () => {
  const { org, ana, bo, say, topic } = await scene()
  const id = await say('Icons', 'Which grey is it?')
  const { page } = await browser.open(org, ana, topic('Icons'))
  const row = page.locator('article', { hasText: 'Which grey' })
  await row.hover()
  await row.getByRole('button', { name: 'More actions' }).hover()
  await page.mouse.down()
  await bo.post(`/messages/${id}/reactions`, { emoji_name: 'tada' })
  await row.locator('.reaction').waitFor()
  await page.mouse.up()
  await page.getByRole('menu').waitFor()
})

test('links of the rail keep the focus when messages come', async () => {
  const { org, ana, bo, say, topic } = await scene()
  await say('Icons', 'Which grey is it?')
  await direct(bo, [ana], 'Hello')
  const { page } = await browser.open(org, ana, topic('Colors'))
  for (const name of ['Icons', 'Bo Lind']) {
    const link = page.locator('.rail a', { hasText: name })
    await link.focus()
    const before = await link.innerText()
    await say('Icons', 'And which blue?')
    await direct(bo, [ana], 'Are you there?')
    await expect.poll(() => link.innerText()).not.toBe(before)
    expect(await link.evaluate((one) => one.ownerDocument.activeElement === one)).toBe(true)
  }
})
