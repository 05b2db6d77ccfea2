import { expect, test } from 'vitest'
import { webBrowser } from '../chromium.ts'
import { contentsOf } from '../messages.ts'
import { sharedServer } from '../test-server.ts'
import { loseAnswer } from './lose-answer.ts'
import { twoPeople } from './two-people.ts'

const { organization } = sharedServer()
const browser = webBrowser()

const unreachable = /cannot be reached/

/** Ana has a message that goes out tomorrow, and looks at what she has not sent. */
async function scheduled() {
  const made = await twoPeople(organization)
  const at = Math.floor(Date.now() / 1000) + 86_400
  const message = { type: 'channel', to: made.channel.id, topic: 'Icons', content: 'Good morning' }
  await made.ana.post('/scheduled_messages', { ...message, scheduled_delivery_timestamp: at })
  const opened = await browser.open(made.org, made.ana, '#drafts')
  await loseAnswer(opened.page, 'DELETE', /\/scheduled_messages\/\d+$/)
  const left = async () => (await made.ana.get('/scheduled_messages')).body.scheduled_messages
  return { ...made, ...opened, left }
}

test('a scheduled message is written on although the answer was lost that it is cancelled', async () => {
  const { page, left } = await scheduled()
  await page.getByRole('button', { name: /^Continue writing: #design/ }).click()
  await expect.poll(() => page.locator('.composer textarea').inputValue()).toBe('Good morning')
  expect(await left()).toEqual([])
})

test('a scheduled message is sent now although the answer was lost that it is cancelled', async () => {
  const { page, ana, channel, left } = await scheduled()
  await page.getByRole('button', { name: /^Send now: #design/ }).click()
  await expect.poll(() => contentsOf(ana, channel)).toEqual([['Icons', 'Good morning']])
  expect(await left()).toEqual([])
})

test('an archive of the own data whose answer was lost is made once when the user tries again', async () => {
  const { org, ana } = await twoPeople(organization)
  const { page } = await browser.open(org, ana, '#settings/export')
  await loseAnswer(page, 'POST', /\/own_exports$/)
  const button = page.getByRole('button', { name: 'Create an archive' })
  await button.click()
  await page.getByRole('alert').getByText(unreachable).waitFor()
  await button.click()
  await page.getByRole('alert').getByText(unreachable).waitFor({ state: 'detached' })
  await page.locator('tbody tr').first().waitFor()
  expect((await ana.get('/rookery/own_exports')).body.exports).toHaveLength(1)
})

test('a report whose answer was lost reaches the moderators once when the user tries again', async () => {
  const { org, ana, say, topic } = await twoPeople(organization)
  const moderators = await org.channel({ name: 'moderators', subscribers: [org.owner], isPrivate: true })
  await org.owner.patch('/realm', { moderation_request_channel_id: moderators.id })
  await say('Icons', 'Buy my icons')
  const { page } = await browser.open(org, ana, topic('Icons'))
  await loseAnswer(page, 'POST', /\/report$/)
  await page.locator('article', { hasText: 'Buy my icons' }).hover()
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: /^Report/ }).click()
  const dialog = page.getByRole('dialog')
  const submit = dialog.locator('button[type=submit]')
  await submit.click()
  await dialog.getByText(unreachable).waitFor()
  await submit.click()
  await dialog.waitFor({ state: 'detached' })
  expect(await contentsOf(org.owner, moderators)).toHaveLength(1)
})
