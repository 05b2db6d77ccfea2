import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { webBrowser } from '../../browser/chromium.ts'
import { contentsOf, sender } from '../../messages.ts'
import { testServer } from '../../test-server.ts'
import { holdRequests } from '../held-requests.ts'
import { twoPeople } from '../two-people.ts'

// A late answer, or another user's action, must not take away what the user has opened or writes meanwhile.

const { organization } = testServer()
const browser = webBrowser()

async function openTopic() {
  const all = await twoPeople(organization)
  const id = await sender(all.ana, all.channel)('Icons', 'Which grey is it?')
  const { page } = await browser.open(all.org, all.ana, all.topic('Icons'))
  await page.getByText('Which grey').waitFor()
  const params = { propagate_mode: 'change_all', send_notification_to_new_thread: false }
  const rename = () => all.org.owner.patch(`/messages/${id}`, { topic: 'Symbols', ...params })
  return { ...all, id, page, rename, box: page.getByRole('textbox', { name: /Icons|Symbols/ }) }
}

const isRenamed = (page: Page) => page.locator('h1', { hasText: 'Symbols' }).waitFor()
const row = (page: Page) => page.locator('article', { hasText: 'Which grey' })

test('a channel that was created does not close the dialog of the next one', async () => {
  const { org, ana } = await twoPeople(organization)
  const { page, url } = await browser.open(org, ana, '#channels/new')
  const requests = await holdRequests(page, '**/json/get_stream_id*')
  const dialog = page.getByRole('dialog', { name: 'New channel' })
  await dialog.getByLabel('Name').fill('board')
  await page.keyboard.press('Enter')
  await expect.poll(requests.count).toBe(1)
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  await page.goto(`${url}#channels/new`)
  await dialog.getByLabel('Name').fill('finance')
  const answered = page.waitForResponse('**/json/get_stream_id*')
  requests.pass()
  await answered
  await page.keyboard.press('Enter')
  await expect.poll(requests.count).toBe(1)
  requests.pass()
  await page.locator('h1', { hasText: 'finance' }).waitFor()
})

test('who writes goes on when another user renames the topic', async () => {
  const { page, box, rename } = await openTopic()
  await box.fill('Half a thought')
  for (let i = 0; i < 'thought'.length; i++) await page.keyboard.press('ArrowLeft')
  await rename()
  await isRenamed(page)
  await page.keyboard.type('good ')
  await expect.poll(() => box.inputValue()).toBe('Half a good thought')
})

test('a new conversation is begun on when another user renames the topic of the view', async () => {
  const { page, rename } = await openTopic()
  await row(page).click()
  await page.keyboard.press('x')
  const box = page.locator('.begin-box textarea')
  await box.fill('Half a')
  await rename()
  await isRenamed(page)
  await page.keyboard.type(' thought')
  expect(await box.inputValue()).toBe('Half a thought')
})

test('a message is edited on when another user renames its topic', async () => {
  const { page, ana, channel, rename } = await openTopic()
  await row(page).click()
  await page.keyboard.press('e')
  const box = page.locator('.edit-box textarea')
  await box.fill('Which blue')
  await rename()
  await isRenamed(page)
  await page.locator('.edit-box textarea:focus').waitFor()
  await page.keyboard.type(' is it?')
  await page.keyboard.press('Control+Enter')
  await expect.poll(() => contentsOf(ana, channel)).toEqual([['Symbols', 'Which blue is it?']])
})

test('a quote that arrives while the user edits another message leaves the cursor there', async () => {
  const { page, box, say } = await openTopic()
  const id = await say('Icons', 'The lighter one')
  const requests = await holdRequests(page, `**/json/messages/${id}?*`)
  await page.locator('article', { hasText: 'The lighter one' }).click()
  await page.keyboard.press('>')
  await expect.poll(requests.count).toBe(1)
  await row(page).click()
  await page.keyboard.press('e')
  const edit = page.locator('.edit-box textarea')
  await edit.fill('Which')
  requests.pass()
  await expect.poll(() => box.inputValue()).toContain('The lighter one')
  await page.keyboard.type(' blue?')
  expect(await edit.inputValue()).toBe('Which blue?')
})

test('a message that was scheduled takes nothing away that was written since', async () => {
  const { page, box, ana } = await openTopic()
  await box.fill('Later')
  const requests = await holdRequests(page, '**/json/scheduled_messages')
  await page.getByRole('button', { name: 'Schedule and settings' }).click()
  await page.getByRole('menuitem', { name: /^Tomorrow morning/ }).click()
  await expect.poll(requests.count).toBe(1)
  await box.fill('Written since')
  requests.pass()
  await page.getByRole('status').getByText('Scheduled for').waitFor()
  expect(await box.inputValue()).toBe('Written since')
  expect((await ana.get('/scheduled_messages')).body.scheduled_messages).toMatchObject([{ content: 'Later' }])
})

test('a notice that is closed by keyboard gives the focus back', async () => {
  const { page, box } = await openTopic()
  await row(page).click()
  await page.keyboard.press('Shift+M')
  const close = page.getByRole('button', { name: 'Close the notice' })
  await close.waitFor()
  await box.focus()
  await close.focus()
  await page.keyboard.press('Enter')
  await close.waitFor({ state: 'detached' })
  await page.keyboard.type('Mid grey')
  expect(await box.inputValue()).toBe('Mid grey')
})

test('what happened to a message that is gone is said in words', async () => {
  const { org, id, page } = await openTopic()
  await row(page).hover()
  await row(page).getByRole('button', { name: 'More' }).click()
  await page.getByRole('menuitem', { name: 'Move' }).click()
  const dialog = page.getByRole('dialog', { name: 'Move' })
  await dialog.getByText(/^1 message by Ana Ruiz/).waitFor()
  await org.owner.delete(`/messages/${id}`)
  await dialog.getByLabel('Topic', { exact: true }).fill('Symbols')
  await dialog.getByRole('button', { name: 'Move' }).click()
  await dialog.getByText('The message was deleted, or you can no longer see it.').waitFor()
})
