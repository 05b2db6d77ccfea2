import { setTimeout as sleep } from 'node:timers/promises'
import type { Page, Route } from 'playwright-core'
import { expect, test } from 'vitest'
import { webBrowser } from '../../browser/chromium.ts'
import { messageIn, sender } from '../../messages.ts'
import { secureHost, sharedServer } from '../../test-server.ts'
import { withResolvers } from '../../with-resolvers.ts'
import { expectStateToMatch, letCompare } from '../state-in-browser.ts'
import { twoPeople } from '../two-people.ts'

const { organization } = sharedServer({ host: secureHost })
const browser = webBrowser()

const scene = () => twoPeople(organization)

/** Opens the menu of the message that has a text. */
async function menuOf(page: Page, text: string) {
  const row = page.locator('article', { hasText: text })
  await row.hover()
  await row.getByRole('button', { name: 'More actions' }).click()
  const menu = page.getByRole('menu', { name: 'More actions' })
  await menu.waitFor()
  return menu
}

test('a message is edited in place, and the other sees it and its history', async () => {
  const { org, ana, bo, channel, topic } = await scene()
  await sender(ana, channel)('Dark theme', 'The firts words')
  const mine = await browser.open(org, ana, topic('Dark theme'))
  const other = await browser.open(org, bo, topic('Dark theme'))
  await letCompare(mine.page)
  await mine.page.getByText('The firts words').waitFor()
  await mine.page.keyboard.press('j')
  await mine.page.keyboard.press('e')
  const box = mine.page.getByRole('textbox', { name: 'Edit' })
  await box.fill('The first words')
  // Closed by Escape, the box has the text again when it is opened.
  await box.press('Escape')
  await box.waitFor({ state: 'detached' })
  await mine.page.keyboard.press('e')
  await expect.poll(() => box.inputValue()).toBe('The first words')
  await mine.page.getByRole('button', { name: 'Save' }).click()
  await other.page.getByText('The first words').waitFor()
  const menu = await menuOf(other.page, 'The first words')
  expect(await menu.getByRole('menuitem', { name: /^Edit \d/ }).count()).toBe(0)
  await menu.getByRole('menuitem', { name: 'Edit history' }).click()
  const history = other.page.getByRole('dialog', { name: 'Edit history' })
  await history.getByText('firts', { exact: true }).waitFor()
  expect(await history.getByText('changed it').count()).toBe(1)
  await expectStateToMatch(mine.page)
})

test('a message is deleted after a question, for everyone', async () => {
  const { org, ana, bo, channel, topic } = await scene()
  await sender(org.owner, channel)('Dark theme', 'Stays')
  await sender(bo, channel)('Dark theme', 'To be removed')
  const owner = await browser.open(org, ana, topic('Dark theme'))
  const other = await browser.open(org, bo, topic('Dark theme'))
  await owner.page.getByText('To be removed').waitFor()
  expect(
    await (await menuOf(owner.page, 'To be removed')).getByRole('menuitem', { name: /^Delete/ }).count(),
  ).toBe(0)
  await other.page.getByText('To be removed').waitFor()
  const menu = await menuOf(other.page, 'To be removed')
  await menu.getByRole('menuitem', { name: /^Delete/ }).click()
  const question = other.page.getByRole('dialog', { name: 'Delete' })
  await question.getByRole('button', { name: 'Delete' }).click()
  await owner.page.getByText('To be removed').waitFor({ state: 'detached' })
  expect(await owner.page.getByText('Stays').count()).toBe(1)
})

test('reactions are chosen by name and by key, and stars are kept', async () => {
  const { org, ana, bo, channel, topic } = await scene()
  const id = await sender(bo, channel)('Dark theme', 'Shall we?')
  const { page, problems } = await browser.open(org, ana, topic('Dark theme'))
  await letCompare(page)
  await page.getByText('Shall we?').waitFor()
  await page.keyboard.press('j')
  await page.keyboard.press('+')
  const thumb = page.locator('.reaction', { hasText: '👍' })
  await thumb.waitFor()
  await page.keyboard.press(':')
  // All of them are there, in groups, and the one that the arrows have reached is named.
  await page.getByRole('group', { name: 'Smileys and feelings' }).waitFor()
  // A pointer that rests where they are scrolled chooses none.
  await page.getByRole('group', { name: 'Often used' }).getByRole('option').first().hover()
  for (const key of ['ArrowDown', 'ArrowUp']) for (let n = 0; n < 12; n++) await page.keyboard.press(key)
  await page.getByText(':+1:').waitFor()
  expect(await page.getByRole('option', { name: 'flag japan' }).count()).toBe(1)
  await page.keyboard.press('ArrowRight')
  await page.getByText(':tada:').waitFor()
  await page.getByRole('combobox', { name: 'Find an emoji' }).fill('octopus')
  await page.getByRole('option', { name: 'octopus' }).waitFor()
  await page.keyboard.press('Enter')
  await page.locator('.reaction', { hasText: '🐙' }).waitFor()
  await page.keyboard.press('Control+s')
  await page.locator('.mark.star').waitFor()
  await thumb.click()
  await thumb.waitFor({ state: 'detached' })
  const { reactions, flags } = await messageIn(ana, id)
  expect(reactions.map((one: { emoji_name: string }) => one.emoji_name)).toEqual(['octopus'])
  expect(flags).toContain('starred')
  await expectStateToMatch(page)
  expect(problems.filter((text) => !text.startsWith('Loading the image'))).toEqual([])
})

test('a message is moved to another topic, and the view of the other follows', async () => {
  const { org, ana, bo, channel, topic } = await scene()
  await sender(ana, channel)('Dark theme', 'Stays here')
  await sender(ana, channel)('Dark theme', 'Belongs elsewhere')
  const mine = await browser.open(org, ana, topic('Dark theme'))
  const other = await browser.open(org, bo, topic('Icons'))
  await letCompare(other.page)
  await other.page.getByText('No messages here yet').waitFor()
  await mine.page.getByText('Belongs elsewhere').waitFor()
  await mine.page.keyboard.press('End')
  await mine.page.keyboard.press('m')
  const dialog = mine.page.getByRole('dialog', { name: 'Move' })
  await dialog.getByLabel('Topic', { exact: true }).fill('Icons')
  await dialog.getByLabel('Which messages').selectOption({ label: 'Only this message' })
  await dialog.getByRole('button', { name: 'Move' }).click()
  await other.page.getByText('Belongs elsewhere').waitFor()
  await mine.page.locator('article', { hasText: 'Belongs elsewhere' }).waitFor({ state: 'detached' })
  expect(await mine.page.locator('article', { hasText: 'Stays here' }).count()).toBe(1)
  await expectStateToMatch(other.page)
})

test('marked unread from here, messages stay unread while the topic is open', async () => {
  const { org, ana, bo, channel, topic } = await scene()
  const send = sender(bo, channel)
  for (const text of ['One', 'Two', 'Three']) await send('Dark theme', text)
  const { page } = await browser.open(org, ana, topic('Dark theme'))
  // A slow connection: they are in view again and again before the server knows that they are read.
  await page.route('**/json/messages/flags', async (route) => {
    await sleep(900)
    await route.continue()
  })
  await letCompare(page)
  await page.getByText('Three').waitFor()
  await page.locator('.row.unread').first().waitFor({ state: 'detached' })
  await page.keyboard.press('End')
  await page.keyboard.press('k')
  await page.keyboard.press('Shift+U')
  await expect.poll(() => page.locator('.row.unread').count()).toBe(2)
  await page.getByText('Marked as unread').waitFor()
  // Longer than until the next report of what was seen.
  await sleep(1_200)
  await page.keyboard.press('i')
  await page.locator('.inbox-row', { hasText: 'Dark theme' }).getByText('2', { exact: true }).waitFor()
  await expectStateToMatch(page)
})

test('a vote in a poll is seen by the other, and a task is ticked', async () => {
  const { org, ana, bo, channel, topic } = await scene()
  await sender(bo, channel)('Lunch', '/poll What shall we eat?\nRamen\nPizza')
  await sender(bo, channel)('Lunch', '/todo Shopping\nrice: two bags')
  const [mine, other] = [
    await browser.open(org, ana, topic('Lunch')),
    await browser.open(org, bo, topic('Lunch')),
  ]
  await mine.page.getByRole('button', { name: /Ramen/ }).click()
  const vote = other.page.getByRole('button', { name: /1 Ramen/ })
  await vote.waitFor()
  await expect.poll(() => vote.innerText()).toContain('Ana Ruiz')
  await mine.page.getByRole('textbox', { name: 'Add an option' }).fill('Salad')
  await mine.page.keyboard.press('Enter')
  await other.page.getByRole('button', { name: /0 Salad/ }).click()
  await mine.page.getByRole('button', { name: /1 Salad/ }).waitFor()
  await other.page.getByRole('checkbox', { name: /rice/ }).check()
  await expect.poll(() => mine.page.getByRole('checkbox', { name: /rice/ }).isChecked()).toBe(true)
})

test('a task stays ticked while its list changes before the server answers', async () => {
  const { org, ana, bo, channel, topic } = await scene()
  const list = await sender(bo, channel)('Lunch', '/todo Shopping\nrice: two bags')
  const { page } = await browser.open(org, ana, topic('Lunch'))
  const answer = withResolvers()
  await page.route('**/json/submessage', async (route) => {
    await answer.promise
    await route.continue()
  })
  const rice = page.getByRole('checkbox', { name: /rice/ })
  await rice.check()
  const added = { type: 'new_task', key: 1, task: 'beans', desc: '', completed: false }
  await bo.post('/submessage', { message_id: list, msg_type: 'widget', content: JSON.stringify(added) })
  await page.getByRole('checkbox', { name: /beans/ }).waitFor()
  expect(await rice.isChecked()).toBe(true)
  answer.resolve()
})

test('what the server refuses of a poll or a list is as before, and the text of an option stays', async () => {
  const { org, ana, bo, channel, topic } = await scene()
  await sender(bo, channel)('Lunch', '/poll What shall we eat?\nRamen')
  await sender(bo, channel)('Lunch', '/todo Shopping\nrice: two bags')
  const { page } = await browser.open(org, ana, topic('Lunch'))
  let asked = 0
  page.on('request', (request) => {
    if (request.url().endsWith('/submessage')) asked++
  })
  const refusal = { result: 'error', code: 'BAD_REQUEST', msg: 'Enough for a day' }
  const refuse = (route: Route) => route.fulfill({ status: 400, json: refusal })
  await page.route('**/json/submessage', refuse, { times: 2 })
  const rice = page.getByRole('checkbox', { name: /rice/ })
  await rice.click()
  await page.getByText('That did not work: Enough for a day').waitFor()
  expect(await rice.isChecked()).toBe(false)
  const field = page.getByRole('textbox', { name: 'Add an option' })
  await field.fill('Salad')
  await field.press('Enter')
  await page.getByRole('alert').getByText('Enough for a day').waitFor()
  expect(await field.inputValue()).toBe('Salad')
  await page.getByRole('region', { name: 'Poll' }).getByRole('button', { name: 'Add' }).dblclick()
  await page.getByRole('button', { name: /0 Salad/ }).waitFor()
  await expect.poll(() => field.inputValue()).toBe('')
  await page.getByRole('alert').waitFor({ state: 'detached' })
  expect(asked).toBe(3)
})

test('a message whose text cannot be read says so in its place', async () => {
  const { org, ana, channel, topic } = await scene()
  await sender(ana, channel)('Dark theme', 'The firts words')
  await sender(ana, channel)('Dark theme', 'Another message')
  const { page } = await browser.open(org, ana, topic('Dark theme'))
  const refusal = { result: 'error', code: 'BAD_REQUEST', msg: 'Enough for a day' }
  await page.route(/\/json\/messages\/\d+\?/, (route) => route.fulfill({ status: 400, json: refusal }))
  await (await menuOf(page, 'firts')).getByRole('menuitem', { name: /^Edit/ }).click()
  await page.getByRole('alert').getByText('Enough for a day').waitFor()
  await page.getByText('Another message').waitFor()
  await page.getByRole('button', { name: 'Cancel' }).click()
  await page.getByText('The firts words').waitFor()
})
