import { expect, test } from 'vitest'
import { webBrowser } from '../../browser/chromium.ts'
import { sender } from '../../messages.ts'
import { sharedServer } from '../../test-server.ts'
import { twoPeople } from '../two-people.ts'

const { organization } = sharedServer()
const browser = webBrowser()

async function scene() {
  const { topic, ...all } = await twoPeople(organization)
  const id = await all.say('Dark theme', 'Which grey is it?')
  return { ...all, id, topic: topic('Dark theme') }
}

test('reminders are listed, lead to their messages, are deleted, and set again', async () => {
  const { org, ana, id } = await scene()
  const { page } = await browser.open(org, ana, '#drafts')
  await page.getByRole('heading', { name: 'No drafts' }).waitFor()
  const at = Math.floor(Date.now() / 1000) + 86_400
  await ana.post('/reminders', { message_id: id, scheduled_delivery_timestamp: at })
  await page.getByRole('heading', { name: 'Reminders' }).waitFor()
  await page.getByRole('button', { name: /^Delete the reminder: .*grey/ }).click()
  await page.getByRole('heading', { name: 'No drafts' }).waitFor()
  const stored = async () => (await ana.get('/reminders')).body.reminders
  expect(await stored()).toEqual([])
  await page.getByRole('button', { name: 'Undo' }).click()
  // The view does not wait for anything that the server returns.
  await page.route(`**/json/messages/${id}?*`, () => {})
  await page.getByRole('button', { name: 'Go to the message: Which grey is it?', exact: true }).click()
  await page.locator(`article.row[data-id="${id}"]`).waitFor()
  expect(await stored()).toMatchObject([{ reminder_target_message_id: id, scheduled_delivery_timestamp: at }])
})

test('a reminder leads to where its message has moved since', async () => {
  const { org, ana, bo, id } = await scene()
  const at = Math.floor(Date.now() / 1000) + 86_400
  await ana.post('/reminders', { message_id: id, scheduled_delivery_timestamp: at })
  await bo.patch(`/messages/${id}`, { topic: 'Icons' })
  const { page } = await browser.open(org, ana, '#drafts')
  await page.getByRole('button', { name: /^Go to the message/ }).click()
  await page.getByRole('heading', { level: 1, name: /Icons/ }).waitFor()
  await page.locator(`article.row[data-id="${id}"]`).waitFor()
})

test('others see that a message is being edited, unless its author does not tell', async () => {
  const { org, ana, bo, channel, id, topic } = await scene()
  const { page } = await browser.open(org, bo, topic)
  const { page: other } = await browser.open(org, ana, topic)
  const told: string[] = []
  page.on('request', (request) => {
    if (request.url().endsWith(`/messages/${id}/typing`)) told.push(request.postData() ?? '')
  })
  const row = page.locator(`article.row[data-id="${id}"]`)
  const edit = async () => {
    await row.click()
    await page.keyboard.press('e')
    return page.getByRole('textbox', { name: 'Edit' })
  }
  await (await edit()).fill('Which blue is it?')
  const mark = other.getByText('Bo Lind is editing …')
  await mark.waitFor()
  await row.getByRole('button', { name: 'Save' }).click()
  await mark.waitFor({ state: 'detached' })
  await other.getByText('Which blue is it?').waitFor()
  expect(told).toEqual(['op=start', 'op=stop'])
  await bo.patch('/settings', { send_stream_typing_notifications: false })
  // An event that follows it has reached the page.
  await sender(ana, channel)('Dark theme', 'Not blue, please.')
  await page.getByText('Not blue, please.').waitFor()
  await (await edit()).fill('Which red is it?')
  await row.getByRole('button', { name: 'Save' }).click()
  await other.getByText('Which red is it?').waitFor()
  expect(told).toHaveLength(2)
})
