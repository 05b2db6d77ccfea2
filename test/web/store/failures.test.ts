import type { Locator } from 'playwright-core'
import { expect, test } from 'vitest'
import { webBrowser } from '../../browser/chromium.ts'
import { sender } from '../../messages.ts'
import { secureHost, sharedServer } from '../../test-server.ts'
import { twoPeople } from '../two-people.ts'

const { organization } = sharedServer({ host: secureHost })
const browser = webBrowser()

async function openTopic() {
  const { org, ana, channel, say } = await twoPeople(organization)
  await say('Dark theme', 'The first message')
  const opened = await browser.open(org, ana, `#narrow/channel/${channel.id}/topic/Dark.20theme`)
  await opened.page.getByText('The first message').waitFor()
  const box = opened.page.getByRole('textbox', { name: /Dark theme/ })
  await box.fill('not sent yet')
  return { ...opened, ana, say, box, channel }
}

test('messages that come while the network is gone appear when it is back, and text is kept', async () => {
  const { page, context, say, box } = await openTopic()
  await context.setOffline(true)
  await page.getByText('You are offline').waitFor()
  await say('Dark theme', 'Said meanwhile')
  await context.setOffline(false)
  await page.getByText('Said meanwhile').waitFor()
  await page.getByText('You are offline').waitFor({ state: 'detached' })
  expect(await box.inputValue()).toBe('not sent yet')
})

test('a client whose queue has gone registers again, and shows what it has missed', async () => {
  const { page, context, ana, say, box } = await openTopic()
  const registered = page.waitForResponse((response) => response.url().endsWith('/json/register'))
  await page.reload()
  const { queue_id } = await (await registered).json()
  await page.getByText('The first message').waitFor()
  await box.fill('not sent yet')
  await context.setOffline(true)
  await ana.delete('/events', { queue_id })
  await say('Dark theme', 'Said meanwhile')
  await context.setOffline(false)
  await page.getByText('Said meanwhile').waitFor()
  expect(await box.inputValue()).toBe('not sent yet')
  await say('Dark theme', 'Said afterwards')
  await page.getByText('Said afterwards').waitFor()
})

test('a refused message says why, and nothing covers it', async () => {
  const { page, box } = await openTopic()
  const answer = {
    status: 400,
    json: { result: 'error', code: 'BAD_REQUEST', msg: 'Enough words for a day' },
  }
  await page.route('**/json/messages', (route) => route.fulfill(answer))
  for (const text of ['First', 'Second']) {
    await box.fill(text)
    await box.press('Control+Enter')
  }
  // A row that turns from waiting to failed moves the others.
  await expect.poll(() => page.locator('.row.outgoing.failed').count()).toBe(2)
  for (const text of ['First', 'Second']) {
    const row = page.locator('.row.outgoing.failed', { hasText: text })
    const reason = await row.getByText('Enough words for a day').boundingBox()
    const actions = await row.getByRole('button', { name: 'Retry' }).boundingBox()
    expect(reason!.y + reason!.height).toBeLessThanOrEqual(actions!.y + 1)
  }
})

test('a file that is refused leaves nothing in the text', async () => {
  const { page, box } = await openTopic()
  await box.fill('')
  await page.route('**/json/user_uploads', (route) =>
    route.fulfill({ status: 400, json: { result: 'error', code: 'BAD_REQUEST', msg: 'No room is left' } }),
  )
  const file = { name: 'owl.txt', mimeType: 'text/plain', buffer: Buffer.from('hoot') }
  await page.locator('.composer input[type=file]').setInputFiles(file)
  await page.getByText('owl.txt was not uploaded: No room is left').waitFor()
  await expect.poll(() => box.inputValue()).toBe('')
})

test.each(['register', 'messages'])('a server that cannot answer now is mentioned: %s', async (operation) => {
  const { page } = await openTopic()
  let isDown = true
  const answer = { status: 503, json: { result: 'error', code: 'UNAVAILABLE', msg: 'Not now' } }
  await page.route(new RegExp(`/json/${operation}(\\?|$)`), (route) =>
    isDown ? route.fulfill(answer) : route.continue(),
  )
  await page.reload()
  await page.getByText('Reconnecting').waitFor()
  isDown = false
  await page.getByText('The first message').waitFor()
  await page.getByText('Reconnecting').waitFor({ state: 'detached' })
})

test('an address of a channel that the user cannot see says so', async () => {
  const { page, url } = await openTopic()
  await page.goto(`${url}#narrow/channel/999999/topic/x`)
  await page.getByRole('alert').getByText('You do not have access to this channel.').waitFor()
  expect(await page.getByRole('button', { name: 'Try again' }).count()).toBe(0)
})

test('an ended session leads to the sign-in page, and back to the same view', async () => {
  const { page, context } = await openTopic()
  await context.clearCookies()
  await page.reload()
  await page.getByRole('heading', { name: /Sign in/ }).waitFor()
  expect(page.url()).toContain(encodeURIComponent('#narrow'))
})

test('an edit goes on where it was after the session has ended, and the sign-in page says so', async () => {
  const { page, ana, box, say, channel } = await openTopic()
  await sender(ana, channel)('Dark theme', 'My own words')
  const row = page.locator('article', { hasText: 'My own words' })
  await row.click()
  await page.keyboard.press('e')
  const area = page.locator('.edit-box textarea')
  await area.fill('My own words, much improved')
  const changed = { old_password: ana.password, new_password: 'another long password' }
  expect((await ana.patch('/settings', changed)).body.result).toBe('success')
  await say('Dark theme', 'The stream ends with the next event')
  await page.getByText('Your session has ended.').waitFor()
  await page.getByLabel('Email address').fill(ana.email)
  await page.getByLabel('Password').fill('another long password')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect.poll(() => area.inputValue()).toBe('My own words, much improved')
  expect(await box.inputValue()).toBe('not sent yet')
  await area.press('Control+Enter')
  await page.locator('article .content', { hasText: 'much improved' }).waitFor()
  await page.reload()
  await page.locator('article .content', { hasText: 'much improved' }).waitFor()
  expect(await area.count()).toBe(0)
})

test('the own data and a new conversation stay usable when what they offer cannot be read', async () => {
  const { page, url } = await openTopic()
  const answer = { status: 400, json: { result: 'error', code: 'BAD_REQUEST', msg: 'Not for today' } }
  await page.route(/\/json\/(rookery\/own_exports|users\/me\/\d+\/topics)/, (route) => route.fulfill(answer))
  await page.goto(`${url}#settings/export`)
  await page.getByRole('alert').getByText('Not for today').waitFor()
  await page.goto(`${url}#feed`)
  await page.keyboard.press('c')
  await page.getByRole('combobox', { name: 'Topic' }).fill('Icons')
  await page.locator('.begin-box textarea').fill('Still here')
})

test.each([
  ['a notice', 'picker', /Add a reaction/],
  ['its place', 'drafts', undefined],
])('%s offers to reload when a part cannot be loaded, and the text is kept', async (_, part, button) => {
  const { page, url } = await openTopic()
  const address = page.url()
  let isMissing = true
  await page.route(`**/assets/${part}-*.js`, (route) =>
    isMissing ? route.fulfill({ status: 404 }) : route.continue(),
  )
  await page.locator('article').hover()
  if (button) await page.getByRole('button', { name: button }).click()
  else await page.goto(`${url}#${part}`)
  await page.getByText('A part of the page could not be loaded.').waitFor()
  const padding = (place: Locator) =>
    place.evaluate((one) => one.ownerDocument.defaultView!.getComputedStyle(one).paddingLeft)
  if (!button) expect(await padding(page.locator('main > .error-text'))).toBe('16px')
  isMissing = false
  const reloaded = page.waitForEvent('load')
  await page.getByRole('button', { name: 'Reload' }).click()
  await reloaded
  if (button) await page.locator('article').hover()
  if (button) await page.getByRole('button', { name: button }).click()
  await page.locator('.emoji-picker, .draft-row').waitFor()
  await page.goto(address)
  await expect.poll(() => page.locator('.composer textarea').inputValue()).toBe('not sent yet')
})

test('what the browser refuses is told in the words of the client', async () => {
  const { page } = await openTopic()
  await page.addInitScript(
    `navigator.clipboard.writeText = () => Promise.reject(new DOMException('Write permission denied.'))`,
  )
  await page.reload()
  const row = page.locator('article')
  await row.hover()
  await row.getByRole('button', { name: 'More' }).click()
  await page.getByRole('menuitem', { name: 'Copy link' }).click()
  await page.locator('.notice', { hasText: 'The page or the browser made an error.' }).waitFor()
  expect(await page.getByText('Write permission denied.').count()).toBe(0)
})

test('a request that is refused again and again has one notice, and another failure has its own', async () => {
  const { page } = await openTopic()
  const reasons = ['Too many stars', 'Too many stars', 'No stars today']
  await page.route('**/json/messages/flags', (route) => {
    const msg = /starred/.test(route.request().postData() ?? '') ? reasons.shift() : undefined
    return msg
      ? route.fulfill({ status: 400, json: { result: 'error', code: 'BAD_REQUEST', msg } })
      : route.continue()
  })
  await page.locator('article', { hasText: 'The first message' }).locator('.content').click()
  const notices = page.locator('.notice')
  for (const left of [2, 1, 0]) {
    await page.keyboard.press('ControlOrMeta+s')
    await expect.poll(() => reasons.length).toBe(left)
  }
  await notices.getByText('No stars today').waitFor()
  expect(await notices.getByText('Too many stars').count()).toBe(1)
})
