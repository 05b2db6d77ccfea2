import { expect, test } from 'vitest'
import { openPage, viewports, webBrowser } from '../../browser/chromium.ts'
import { sender } from '../../messages.ts'
import { secureHost, sharedServer } from '../../test-server.ts'
import { twoPeople, usualViews } from '../two-people.ts'

const { organization } = sharedServer({ host: secureHost })
const browser = webBrowser()

const scene = () => twoPeople(organization)

test('unread messages are in the inbox, and read once they were seen, in all tabs', async () => {
  const { org, ana, bo, channel } = await scene()
  await sender(bo, channel)('Dark theme', 'Tokens are in.')
  const { page, context, url, problems } = await browser.open(org, ana)
  await page
    .getByRole('link', { name: /Dark theme/ })
    .first()
    .waitFor()
  const other = await openPage(context, url)
  await other.page.locator('.inbox-row', { hasText: 'Dark theme' }).waitFor()
  await page.bringToFront()
  await page.locator('.inbox-row a', { hasText: 'Dark theme' }).click()
  await page.getByText('Tokens are in.').waitFor()
  await other.page.locator('.inbox-row', { hasText: 'Dark theme' }).waitFor({ state: 'detached' })
  const { body } = await ana.get('/messages', {
    anchor: 'newest',
    num_before: 1,
    num_after: 0,
    narrow: [
      { operator: 'is', operand: 'unread' },
      { operator: 'channel', operand: channel.id },
    ],
  })
  expect(body.messages).toEqual([])
  expect(problems).toEqual([])
})

test('a message that is sent appears once, also for others', async () => {
  const { org, ana, bo, channel } = await scene()
  const topic = `#narrow/channel/${channel.id}-design/topic/Dark.20theme`
  const [sending, hearing] = [await browser.open(org, ana, topic), await browser.open(org, bo, topic)]
  for (const { page } of [sending, hearing]) await page.getByRole('textbox', { name: /Dark theme/ }).waitFor()
  await sending.page.getByRole('textbox', { name: /Dark theme/ }).fill('Hello **Bo**')
  await sending.page.getByRole('button', { name: 'Send' }).click()
  for (const { page, problems } of [sending, hearing]) {
    await page.locator('article strong', { hasText: 'Bo' }).waitFor()
    await expect.poll(() => page.locator('article.row').count()).toBe(1)
    // All is in view, so nothing newer is below it.
    await expect.poll(() => page.getByText('newer message').count()).toBe(0)
    expect(problems).toEqual([])
  }
  // A user's own message is not new to them.
  expect(await sending.page.locator('.unread-line').count()).toBe(0)
  const { body } = await ana.get('/messages', { anchor: 'newest', num_before: 1, num_after: 0 })
  expect(body.messages).toMatchObject([{ client: 'website', flags: ['read'] }])
})

test('the page and its files come compressed, and scripts run from this server only', async () => {
  const org = await organization()
  const page = await org.visitor.raw({ method: 'GET', path: '/' })
  expect(page.headers['content-security-policy']).toContain("script-src 'self';")
  expect(page.headers['content-security-policy']).toContain("require-trusted-types-for 'script'")
  const script = /src="(\/assets\/[^"]+\.js)"/.exec(page.text)?.[1] ?? ''
  const file = await org.visitor.raw({
    method: 'GET',
    path: script,
    headers: { 'accept-encoding': 'gzip, br' },
  })
  expect(file.headers).toMatchObject({
    'content-encoding': 'br',
    'cache-control': expect.stringContaining('immutable'),
  })
})

test('on a phone, the views fit the screen', async () => {
  const { org, ana, bo, channel } = await scene()
  await sender(bo, channel)('Dark theme', `A long${'long'.repeat(60)} word, and \`\`\`code\`\`\``)
  const { page } = await browser.open(org, ana, '#inbox', { viewport: viewports.phone })
  for (const [hash, title] of usualViews(channel)) {
    await page.goto(page.url().replace(/#.*/, hash))
    await page.getByRole('heading', { level: 1, name: title }).waitFor()
    const overflow = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth')
    expect(overflow, hash).toBeLessThanOrEqual(0)
  }
})

test('a message that is sent while a conversation is being loaded is shown', async () => {
  const { org, ana, bo, channel } = await scene()
  const { page } = await browser.open(org, ana, '#inbox')
  const answers: (() => Promise<void>)[] = []
  await page.route('**/json/messages?*', async (route) => {
    const params = Object.fromEntries(new URL(route.request().url()).searchParams)
    const { body } = await ana.get('/messages', params)
    answers.push(() => route.fulfill({ json: body }))
  })
  await page.goto(page.url().replace(/#.*/, `#narrow/channel/${channel.id}/topic/Dark.20theme`))
  await expect.poll(() => answers.length).toBe(1)
  await sender(bo, channel)('Dark theme', 'Just in time')
  await page.locator('.rail-item', { hasText: 'design' }).locator('.count').waitFor()
  for (const answer of answers) await answer()
  await page.getByText('Just in time').waitFor()
})
