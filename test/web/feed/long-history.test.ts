import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { webBrowser, webUser } from '../../browser/chromium.ts'
import { sender } from '../../messages.ts'
import { png, sendFiles } from '../../pictures.ts'
import { secureHost, testServer } from '../../test-server.ts'
import { multiply } from '../many-messages.ts'
import { belowView, firstInView, movedSince } from '../scroller.ts'

const server = testServer({ host: secureHost })
const browser = webBrowser()

const messages = 100_000
const pages = 50

/** Opens a topic of 100,000 messages, each tenth with a tall picture, on a node that starts when they are there. */
async function veryLongTopic() {
  const org = await server.organization()
  const [ana, bo] = [await webUser(org, 'Ana Ruiz'), await webUser(org, 'Bo Lind')]
  const channel = await org.channel({ name: 'design', subscribers: [ana, bo] })
  const uploaded = await sendFiles(bo, 'POST', '/user_uploads', [{ content: await png(300, 900) }])
  const say = sender(bo, channel)
  const words = await say('Long', 'Message ONE')
  const picture = await say('Long', `[a picture](${uploaded.body.url})`)
  await server.workOff()
  await ana.post('/mark_all_as_read')
  await multiply(server.databaseUrl, org.id, { words, picture, messages })
  const { port } = await server.anotherNode()
  const hash = `#narrow/channel/${channel.id}/topic/Long`
  const opened = await browser.open({ ...org, place: { ...org.place, port } }, ana, hash)
  return { ...opened, hash }
}

/**
 * Scrolls up to where the client loads older messages, and waits for a page. Returns how far it moved what is in view. No picture
 * is above that place: as one gets its height, the place would move down, maybe to where the client does not load yet.
 */
async function pageUp(page: Page): Promise<number> {
  const oldest = async () => Number(await page.locator('article.row').first().getAttribute('data-id'))
  const before = await oldest()
  await page.evaluate(`document.querySelector('.message-scroller').scrollTop = 100`)
  const seen = await firstInView(page)
  await expect.poll(oldest).toBeLessThanOrEqual(before - 100)
  return movedSince(page, seen)
}

test('50 pages of tall pictures up, to a message in the middle, and to the end', {
  timeout: 180_000,
}, async () => {
  const { page, url, hash } = await veryLongTopic()
  await page.getByText(`Message ${messages - 1}`, { exact: true }).waitFor()
  // The list is there before the rest, and follows its end until then.
  await page.locator('.rail-item', { hasText: 'design' }).waitFor()
  await expect.poll(() => belowView(page)).toBeLessThanOrEqual(1)
  let furthest = 0
  for (let i = 0; i < pages; i++) furthest = Math.max(furthest, await pageUp(page))
  expect(furthest).toBeLessThanOrEqual(1)

  await page.goto(`${url}${hash}/near/50001`)
  await page.getByText('Message 50001', { exact: true }).waitFor()
  await page.keyboard.press('End')
  await page.getByText(`Message ${messages - 1}`, { exact: true }).waitFor()
  await expect.poll(() => belowView(page)).toBeLessThanOrEqual(1)
})
