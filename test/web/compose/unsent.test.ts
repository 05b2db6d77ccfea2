import { expect, test } from 'vitest'
import { webBrowser, webUser } from '../../browser/chromium.ts'
import { contentsOf } from '../../messages.ts'
import { testServer } from '../../test-server.ts'
import { holdRequests } from '../held-requests.ts'
import { loseAnswer } from '../lose-answer.ts'

const { organization, pass, workOff } = testServer()
const browser = webBrowser()

async function scene() {
  const org = await organization()
  const ana = await webUser(org, 'Ana Ruiz')
  const channel = await org.channel({ name: 'design', subscribers: [ana] })
  const topic = `#narrow/channel/${channel.id}-design/topic/Dark.20theme`
  const made = await browser.open(org, ana, topic)
  const box = made.page.locator('.composer textarea')
  await box.waitFor()
  return { ...made, box, org, ana, channel, topic }
}

test('a message to a channel without a subscription is shown as soon as it is sent, and stays', async () => {
  const { org, channel, topic } = await scene()
  const bo = await webUser(org, 'Bo Lind')
  const { page } = await browser.open(org, bo, topic)
  await page.getByText('You are not subscribed to this channel').waitFor()
  for (const text of ['first', 'second']) {
    await page.locator('.composer textarea').fill(`My **${text}** message`)
    await page.keyboard.press('Control+Enter')
    await page.locator('article[data-id] strong', { hasText: text }).waitFor()
  }
  await page.getByText('Sending').waitFor({ state: 'detached' })
  expect(await page.locator('article').count()).toBe(2)
  expect((await contentsOf(org.owner, channel)).length).toBe(2)
})

test('a draft survives Escape and a reload, and appears in another browser; discarding is undone', async () => {
  const { page, box, org, ana, topic } = await scene()
  await box.fill('Half a thought')
  await box.press('Escape')
  expect(await box.inputValue()).toBe('Half a thought')
  await page.reload()
  await expect.poll(() => box.inputValue()).toBe('Half a thought')
  await page.getByText(/^Draft saved/).waitFor()
  const other = await browser.open(org, ana, topic)
  const otherBox = other.page.locator('.composer textarea')
  await expect.poll(() => otherBox.inputValue()).toBe('Half a thought')
  await otherBox.fill('Half a thought, continued')
  await expect.poll(() => box.inputValue()).toBe('Half a thought, continued')
  await page.getByRole('link', { name: /Drafts/ }).click()
  await page.getByRole('button', { name: /Continue writing: #design › Dark theme/ }).click()
  await page.getByRole('button', { name: 'Discard', exact: true }).click()
  await expect.poll(() => otherBox.inputValue()).toBe('')
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect.poll(() => box.inputValue()).toBe('Half a thought, continued')
})

test('three messages written without a connection arrive in order, once each', async () => {
  const { page, context, box, ana, channel } = await scene()
  await context.setOffline(true)
  for (const text of ['One', 'Two', 'Three']) {
    await box.fill(text)
    await box.press('Control+Enter')
  }
  await expect.poll(() => page.locator('.row.outgoing').count()).toBe(3)
  await context.setOffline(false)
  await expect.poll(() => page.locator('article.row:not(.outgoing)').count()).toBe(3)
  await expect.poll(() => page.locator('.row.outgoing').count()).toBe(0)
  expect((await contentsOf(ana, channel)).map(([, content]) => content)).toEqual(['One', 'Two', 'Three'])
})

test('a refused message keeps its text, through a reload as well', async () => {
  const { page, box, ana, channel } = await scene()
  await page.route('**/json/messages', (route) =>
    route.fulfill({ status: 400, json: { result: 'error', code: 'BAD_REQUEST', msg: 'Not now.' } }),
  )
  await box.fill('Precious')
  await box.press('Control+Enter')
  await page.locator('.row.failed', { hasText: 'Not now.' }).waitFor()
  await page.reload()
  await page.locator('.row.failed', { hasText: 'Precious' }).waitFor()
  await page.getByRole('button', { name: 'Edit' }).click()
  await expect.poll(() => box.inputValue()).toBe('Precious')
  await page.unrouteAll()
  await box.press('Control+Enter')
  await page.locator('article.row:not(.outgoing)', { hasText: 'Precious' }).waitFor()
  expect(await contentsOf(ana, channel)).toEqual([['Dark theme', 'Precious']])
})

test('a message that is refused while another view is open says so there, and stands with the drafts', async () => {
  const { page, url, box, ana, channel } = await scene()
  const requests = await holdRequests(page, '**/json/messages')
  await box.fill('Precious')
  await box.press('Control+Enter')
  await expect.poll(requests.count).toBe(1)
  await page.goto(`${url}#inbox`)
  await page.getByRole('heading', { level: 1, name: 'Inbox' }).waitFor()
  requests.refuse()
  await page.getByText('Not sent to #design › Dark theme: Enough for a day').waitFor()
  await page.getByRole('button', { name: 'Show' }).click()
  await page.locator('.row.failed', { hasText: 'Precious' }).waitFor()
  await page.unrouteAll()
  await page.goto(`${url}#drafts`)
  await page.getByRole('main').getByText('Precious').waitFor()
  await page.getByText('Not sent: Enough for a day').waitFor()
  await page.getByRole('button', { name: 'Retry' }).click()
  await page.getByText('No drafts').waitFor()
  await expect.poll(() => contentsOf(ana, channel)).toEqual([['Dark theme', 'Precious']])
})

test('a message is scheduled, listed, and taken back', async () => {
  const { page, box, ana } = await scene()
  await box.fill('Good morning')
  await page.getByRole('button', { name: 'Schedule and settings' }).click()
  await page.getByRole('menuitem', { name: /Tomorrow morning/ }).click()
  await page.getByRole('button', { name: 'Show' }).click()
  await page.getByRole('heading', { name: 'Scheduled messages' }).waitFor()
  for (const action of ['Send now', 'Change time'])
    await page.getByRole('button', { name: `${action}: #design › Dark theme` }).waitFor()
  expect((await ana.get('/scheduled_messages')).body.scheduled_messages).toMatchObject([
    { content: 'Good morning', topic: 'Dark theme' },
  ])
  let takeBack = () => {}
  await page.route('**/json/scheduled_messages/*', async (route) => {
    takeBack = () => void route.continue()
  })
  await page.getByRole('button', { name: /Continue writing: #design/ }).click()
  await page.getByRole('heading', { level: 1, name: /Dark theme/ }).waitFor()
  expect(await box.inputValue()).toBe('')
  takeBack()
  await expect.poll(() => box.inputValue()).toBe('Good morning')
  await expect.poll(async () => (await ana.get('/scheduled_messages')).body.scheduled_messages).toEqual([])
})

test('a message whose scheduling got no answer is scheduled once when it is tried again', async () => {
  const { page, box, ana } = await scene()
  await loseAnswer(page, 'POST', /\/scheduled_messages$/)
  await box.fill('Good morning')
  const schedule = async () => {
    await page.getByRole('button', { name: 'Schedule and settings' }).click()
    await page.getByRole('menuitem', { name: /Tomorrow morning/ }).click()
  }
  await schedule()
  await page.locator('.notice', { hasText: 'cannot be reached' }).waitFor()
  expect(await box.inputValue()).toBe('Good morning')
  await schedule()
  await page.locator('.notice', { hasText: 'Scheduled for' }).waitFor()
  await expect.poll(() => box.inputValue()).toBe('')
  expect((await ana.get('/scheduled_messages')).body.scheduled_messages).toHaveLength(1)
})

test('a refused message is written on from the drafts and from a feed', async () => {
  const { page, url, box } = await scene()
  const refused = page.locator('.outgoing-elsewhere', { hasText: 'Precious' })
  for (const view of ['#drafts', '#feed']) {
    const requests = await holdRequests(page, '**/json/messages')
    await box.fill('Precious')
    await box.press('Control+Enter')
    await expect.poll(requests.count).toBe(1)
    await page.goto(url + view)
    requests.refuse()
    await refused.waitFor()
    await page.unrouteAll()
    await refused.getByRole('button', { name: 'Edit' }).click()
    await page.getByRole('heading', { level: 1, name: /Dark theme/ }).waitFor()
    await expect.poll(() => box.inputValue()).toBe('Precious')
    await box.and(page.locator(':focus')).waitFor()
  }
})

test('a scheduled message that is deleted is scheduled again by Undo', async () => {
  const { page, url, ana, channel } = await scene()
  const at = Math.floor(Date.now() / 1000) + 86_400
  const params = { type: 'channel', to: channel.id, topic: 'Dark theme', content: 'Good morning' }
  await ana.post('/scheduled_messages', { ...params, scheduled_delivery_timestamp: at })
  await page.goto(`${url}#drafts`)
  await page.getByRole('button', { name: 'Delete: #design › Dark theme' }).click()
  await expect.poll(async () => (await ana.get('/scheduled_messages')).body.scheduled_messages).toEqual([])
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect
    .poll(async () => (await ana.get('/scheduled_messages')).body.scheduled_messages)
    .toMatchObject([{ content: 'Good morning', scheduled_delivery_timestamp: at }])
})

test('a menu that cannot be loaded says so', async () => {
  const { page } = await scene()
  await page.route('**/assets/schedule-*.js', (route) => route.abort())
  await page.getByRole('button', { name: 'Schedule and settings' }).click()
  await page.locator('.notice.failure').waitFor()
})

test('a view that cannot be loaded says so, and the others can be opened', async () => {
  const { page, url } = await scene()
  await page.route('**/assets/drafts-*.js', (route) => route.abort())
  await page.goto(`${url}#drafts`)
  await page.getByRole('main').getByRole('alert').waitFor()
  await page.getByRole('link', { name: 'Inbox' }).click()
  await page.getByRole('heading', { level: 1, name: 'Inbox' }).waitFor()
})

test('a scheduled message that was not sent says so, also to those who hear the page', async () => {
  const org = await organization()
  const ana = await webUser(org, 'Ana Ruiz')
  const channel = await org.channel({ name: 'design', subscribers: [ana] })
  const due = { scheduled_delivery_timestamp: Math.floor(Date.now() / 1000) + 3600 }
  const message = { type: 'channel', to: channel.id, topic: 'Icons', content: 'Too late' }
  expect((await ana.post('/scheduled_messages', { ...message, ...due })).body.result).toBe('success')
  await org.owner.patch(`/streams/${channel.id}`, {
    can_send_message_group: { new: org.group('role:nobody') },
  })
  pass(4000)
  await workOff()
  const { page } = await browser.open(org, ana, '#drafts')
  const name = 'Continue writing: #design › Icons'
  await page.getByRole('button', { name, description: /could not be sent.*Too late$/ }).waitFor()
})
