import { expect, test } from 'vitest'
import { webBrowser } from '../chromium.ts'
import { sender } from '../messages.ts'
import { sharedServer } from '../test-server.ts'
import { twoPeople } from './two-people.ts'

const { organization } = sharedServer()
const browser = webBrowser()

test('pills and words by keyboard find messages, Enter shows them in context, and Back returns', async () => {
  const { org, ana, bo, channel } = await twoPeople(organization)
  const other = await org.channel({ name: 'support', subscribers: [ana, bo] })
  await sender(bo, channel)('Dark theme', 'The elephant is too dark')
  await sender(bo, channel)('Dark theme', 'So is the mouse')
  await sender(bo, other)('Zoo', 'An elephant elsewhere')
  const { page, problems } = await browser.open(org, ana, '#inbox')
  await page.locator('.inbox-row', { hasText: 'Dark theme' }).waitFor()
  await page.keyboard.press('/')
  await page.locator('dialog [role=combobox]:focus').waitFor()
  await page.keyboard.type('channel:des')
  await page.keyboard.press('Enter')
  await page.locator('.pill', { hasText: 'channel: design' }).waitFor()
  await page.keyboard.type('elephant')
  await page.keyboard.press('Enter')
  await page.locator('article .highlight', { hasText: 'elephant' }).waitFor()
  expect(await page.locator('article').count()).toBe(1)
  expect(await page.getByRole('heading', { level: 1 }).innerText()).toContain('“elephant”')
  const results = page.url()
  await page.keyboard.press('j')
  await page.keyboard.press('Enter')
  await page.locator('article', { hasText: 'So is the mouse' }).waitFor()
  expect(await page.locator('article .highlight').count()).toBe(0)
  await page.goBack()
  await page.locator('.row.selected', { hasText: 'elephant' }).waitFor()
  expect(page.url()).toBe(results)
  await page.keyboard.press('/')
  await page.locator('.pill', { hasText: 'elephant' }).waitFor()
  await page.getByRole('button', { name: 'Remove channel: design' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Search', exact: true }).click()
  await expect.poll(() => page.locator('article').count()).toBe(2)
  expect(problems.filter((text) => !text.startsWith('Loading the image'))).toEqual([])
})

test('a term that is typed behind words is one, unless it is quoted', async () => {
  const { org, ana, say } = await twoPeople(organization)
  await say('Icons', 'The quick fox')
  await say('Icons', 'A fox who knows what is:unread')
  await sender(ana, await org.channel({ name: 'support', subscribers: [ana] }))('Zoo', 'The quick fox')
  const { page, url } = await browser.open(org, ana, '#inbox')
  const found = page.locator('article')
  await page.keyboard.press('/')
  await page.locator('dialog [role=combobox]:focus').waitFor()
  await page.keyboard.type('"quick fox" sender:Bo')
  await page.locator('.pill', { hasText: 'quick fox' }).waitFor()
  await page.keyboard.press('Enter')
  await page.locator('.pill', { hasText: 'sender: Bo Lind' }).waitFor()
  await page.keyboard.press('Enter')
  await expect.poll(() => found.count()).toBe(1)
  await page.goto(`${url}#inbox`)
  await page.keyboard.press('/')
  await page.locator('dialog [role=combobox]:focus').waitFor()
  await page.keyboard.type('"what is:unread"')
  expect(await page.locator('.pill').count()).toBe(0)
  await page.keyboard.press('Enter')
  await found.getByText('who knows').waitFor()
  expect(await found.count()).toBe(1)
  expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe('Search: "what is:unread"')
})

test.each(['typed', 'pasted'])('terms that are %s in one line are all taken', async (way) => {
  const { org, ana, bo, channel, say } = await twoPeople(organization)
  const other = await org.channel({ name: 'support', subscribers: [ana, bo] })
  await say('Icons', 'The fox https://example.com/')
  await say('Icons', 'The fox alone')
  await sender(ana, channel)('Icons', 'The fox of Ana')
  await sender(bo, other)('Icons', 'The fox elsewhere')
  const { page } = await browser.open(org, ana, '#inbox')
  await page.keyboard.press('/')
  await page.locator('dialog [role=combobox]:focus').waitFor()
  // As in other programs: `from` and `in`, names with their signs, and words behind a name.
  const line = 'from:@bo in:#design -has:link the fox'
  if (way === 'typed') await page.keyboard.type(line)
  else await page.keyboard.insertText(line)
  const pills = page.locator('dialog .pill')
  await expect
    .poll(async () => (await pills.allInnerTexts()).map((text) => text.trim()))
    .toEqual(['sender: Bo Lind', 'channel: design', '−has: link'])
  await page.keyboard.press('Enter')
  await page.locator('article', { hasText: 'The fox alone' }).waitFor()
  expect(await page.locator('article').count()).toBe(1)
})

test('a term that fits nothing stays as it was typed', async () => {
  const { org, ana, say } = await twoPeople(organization)
  await say('Icons', 'Who is nobody?')
  const { page } = await browser.open(org, ana, '#inbox')
  await page.keyboard.press('/')
  const field = page.locator('dialog [role=combobox]:focus')
  await field.waitFor()
  await page.keyboard.type('sender:nobody has:link')
  expect(await field.inputValue()).toBe('sender:nobody has:link')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Search: “sender:nobody has:link”' }).waitFor()
})

test('a new message that matches joins an open search, and one that was left', async () => {
  const { org, ana, say } = await twoPeople(organization)
  await say('Icons', 'The first elephant')
  const { page, url } = await browser.open(org, ana, '#narrow/search/elephant')
  const found = page.locator('article')
  await found.getByText('The first').waitFor()
  await say('Icons', 'A mouse')
  await say('Icons', 'The second elephant')
  await found.locator('.highlight', { hasText: 'elephant' }).nth(1).waitFor()
  await page.goto(`${url}#feed`)
  await say('Icons', 'The third elephant')
  await found.getByText('The third').waitFor()
  await page.goto(`${url}#narrow/search/elephant`)
  await found.getByText('The third').waitFor()
  expect(await found.count()).toBe(3)
})

test('a new message in a followed topic joins the list of followed topics', async () => {
  const { org, ana, channel, say } = await twoPeople(organization)
  await say('Icons', 'The first')
  const topic = { stream_id: channel.id, topic: 'Icons', visibility_policy: 3 }
  await ana.post('/user_topics', topic)
  const { page } = await browser.open(org, ana, '#narrow/is/followed')
  const found = page.locator('article')
  await found.getByText('The first').waitFor()
  await say('Dark theme', 'Elsewhere')
  await say('Icons', 'The second')
  await found.getByText('The second').waitFor()
  expect(await found.count()).toBe(2)
})

test('a search for all but a channel has neither the title of that channel nor its menu', async () => {
  const { org, ana, channel, say } = await twoPeople(organization)
  await say('Icons', 'In design')
  await sender(ana, await org.channel({ name: 'support', subscribers: [ana] }))('Zoo', 'In support')
  const { page } = await browser.open(org, ana, `#narrow/-channel/${channel.id}`)
  await page.locator('article', { hasText: 'In support' }).waitFor()
  expect(await page.getByRole('heading', { level: 1 }).innerText()).toContain('−channel: design')
  expect(await page.getByRole('button', { name: 'Channel actions' }).count()).toBe(0)
})

test.each([
  ['by words', () => '#narrow/search/Elephant'],
  ['by a sender', (bo: number) => `#narrow/sender/${bo}`],
  ['that excludes a sender', (_: number, ana: number) => `#narrow/-sender/${ana}`],
])('a search %s begins at the newest message, however many are unread', async (_, hashOf) => {
  const { org, ana, bo, say } = await twoPeople(organization)
  for (let i = 1; i <= 120; i++) await say('Zoo', `Elephant ${i} of many`)
  const { page } = await browser.open(org, ana, hashOf(bo.id, ana.id))
  await page.getByText('Elephant 120 of many').waitFor()
  await expect
    .poll(() => page.getByText('Elephant 120 of many').evaluate((row) => row.getBoundingClientRect().bottom))
    .toBeLessThan(800)
})
