import { expect, test } from 'vitest'
import { webBrowser, webUser } from '../chromium.ts'
import { sender } from '../messages.ts'
import { secureHost, testServer } from '../test-server.ts'

const { organization } = testServer({ host: secureHost })
const browser = webBrowser()

async function openTopic() {
  const org = await organization()
  const [ana, bo] = [await webUser(org, 'Ana Ruiz'), await webUser(org, 'Bo Lind')]
  const channel = await org.channel({ name: 'design', subscribers: [ana, bo] })
  const say = sender(bo, channel)
  await say('Dark theme', 'The first message')
  const opened = await browser.open(org, ana, `#narrow/channel/${channel.id}/topic/Dark.20theme`)
  await opened.page.getByText('The first message').waitFor()
  const box = opened.page.getByRole('textbox', { name: /Dark theme/ })
  await box.fill('not sent yet')
  return { ...opened, ana, say, box }
}

test('messages that come while the network is gone appear when it is back, and text is kept', async () => {
  const { page, context, say, box } = await openTopic()
  await context.setOffline(true)
  await page.getByText('Reconnecting').waitFor()
  await say('Dark theme', 'Said meanwhile')
  await context.setOffline(false)
  await page.getByText('Said meanwhile').waitFor()
  await page.getByText('Reconnecting').waitFor({ state: 'detached' })
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

test('an ended session leads to the sign-in page, and back to the same view', async () => {
  const { page, context } = await openTopic()
  await context.clearCookies()
  await page.reload()
  await page.getByRole('heading', { name: /Sign in/ }).waitFor()
  expect(page.url()).toContain(encodeURIComponent('#narrow'))
})
