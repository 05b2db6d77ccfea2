import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { type WebUser, webBrowser } from '../../browser/chromium.ts'
import { messageIn, sender } from '../../messages.ts'
import { sharedServer } from '../../test-server.ts'
import { twoPeople } from '../two-people.ts'

const { organization } = sharedServer()
const browser = webBrowser()

// The browser of the tests shows all its pages, so the page is told that it is hidden.
const hiding = `Object.defineProperty(document, 'visibilityState', { get: () => (window.isHidden ? 'hidden' : 'visible') })`

const setHidden = (page: Page, isHidden: boolean) =>
  page.evaluate(`window.isHidden = ${isHidden}; document.dispatchEvent(new Event('visibilitychange'))`)

/** Longer than any message must be seen to count as read. */
const aWhile = 5_000

async function scene(hash: (channelId: number) => string) {
  const { org, ana, bo, channel } = await twoPeople(organization)
  const ids: number[] = []
  for (let n = 1; n <= 30; n++) {
    ids.push(await sender(bo, channel)('Long', `Message ${n}\n\n${'a line\n'.repeat(9)}`))
  }
  const opened = await browser.open(org, ana, '#inbox')
  const { page } = opened
  const marked: string[] = []
  page.on('request', (request) => {
    if (/\/json\/messages\/flags/.test(request.url())) marked.push(request.postData() ?? '')
  })
  await page.addInitScript(hiding)
  await page.clock.install()
  const goTo = (hash: string) => page.goto(`${opened.url}${hash}`)
  await page.reload()
  await goTo(hash(channel.id))
  return { ...opened, ana, bo, channel, ids, marked, goTo }
}

const isRead = async (person: WebUser, id: number) => (await messageIn(person, id)).flags.includes('read')

test('a topic marks the rows that were seen, and no others; a hidden tab marks none', async () => {
  const { page, ana, ids, marked, goTo, channel } = await scene(() => '#inbox')
  await setHidden(page, true)
  await goTo(`#narrow/channel/${channel.id}/topic/Long`)
  await page.getByText('Message 1', { exact: true }).waitFor()
  await page.clock.runFor(aWhile)
  expect(marked).toEqual([])
  await setHidden(page, false)
  await page.clock.runFor(aWhile)
  await expect.poll(() => isRead(ana, ids[0]!)).toBe(true)
  await page.locator('.row.unread').first().waitFor()
  expect(await isRead(ana, ids.at(-1)!)).toBe(false)
  const left = await page.locator('.row.unread').count()
  expect(left).toBeGreaterThan(15)
  await page.keyboard.press('End')
  await page.getByText('Message 30', { exact: true }).waitFor()
  await expect
    .poll(async () => {
      await page.clock.runFor(1_000)
      return isRead(ana, ids.at(-1)!)
    })
    .toBe(true)
  // The messages between the two, which were skipped, are still unread.
  expect(await isRead(ana, ids[15]!)).toBe(false)
})

test('a message that is marked as unread elsewhere stays unread while it is looked at', async () => {
  const { page, ana, ids } = await scene((id) => `#narrow/channel/${id}/topic/Long`)
  await page.getByText('Message 1', { exact: true }).waitFor()
  await page.clock.runFor(aWhile)
  await expect.poll(() => isRead(ana, ids[0]!)).toBe(true)
  await page.locator(`.row:not(.unread)[data-id="${ids[0]}"]`).waitFor()
  await page.clock.runFor(1_000)
  await ana.post('/messages/flags', { messages: [ids[0]], op: 'remove', flag: 'read' })
  await page.locator(`.row.unread[data-id="${ids[0]}"]`).waitFor()
  await page.clock.runFor(aWhile)
  // Messages that are seen later are marked in a later request.
  await page.keyboard.press('End')
  await page.getByText('Message 30', { exact: true }).waitFor()
  const isLastRead = () => page.clock.runFor(1_000).then(() => isRead(ana, ids.at(-1)!))
  await expect.poll(isLastRead).toBe(true)
  expect(await isRead(ana, ids[0]!)).toBe(false)
})

test('searches and stars mark nothing, and feeds only what the setting says', async () => {
  const { page, ana, bo, ids, marked, goTo } = await scene(() => '#inbox')
  await ana.post('/messages/flags', { messages: [ids[29]!], op: 'add', flag: 'starred' })
  const lookAt = async (hash: string) => {
    // The inbox lies between, as the view before may show the message as well.
    await goTo('#inbox')
    await page.getByRole('heading', { level: 1, name: 'Inbox' }).waitFor()
    await goTo(hash)
    await page.locator('article', { hasText: 'Message 30' }).waitFor()
    await page.keyboard.press('End')
    await page.clock.runFor(aWhile)
  }
  for (const hash of ['#narrow/search/Message', '#narrow/is/starred', `#narrow/sender/${bo.id}`]) {
    await lookAt(hash)
  }
  await ana.patch('/settings', { web_mark_read_on_scroll_policy: 2 })
  await page.reload()
  await lookAt('#feed')
  expect(marked).toEqual([])
  expect(await isRead(ana, ids.at(-1)!)).toBe(false)
  await ana.patch('/settings', { web_mark_read_on_scroll_policy: 1 })
  await page.reload()
  await lookAt('#feed')
  await expect.poll(() => isRead(ana, ids.at(-1)!)).toBe(true)
})

test.each([
  ['a topic', true, true, false],
  ['direct messages', true, true, false],
  ['a channel', true, false, false],
  ['all direct messages', true, false, false],
  ['all messages', true, false, false],
])('%s: whether they are marked as always, in conversations only, or never', async (place, ...isMarked) => {
  const { page, ana, bo, marked, channel, goTo } = await scene(() => '#inbox')
  const hashes: Record<string, string> = {
    'a topic': `#narrow/channel/${channel.id}/topic/Short`,
    'direct messages': `#narrow/dm/${bo.id}-user`,
    'a channel': `#narrow/channel/${channel.id}`,
    'all direct messages': '#narrow/is/dm',
    'all messages': '#feed',
  }
  for (const [index, isMarkedNow] of isMarked.entries()) {
    await ana.patch('/settings', { web_mark_read_on_scroll_policy: index + 1 })
    const text = `Round ${index}`
    const id = place.includes('direct')
      ? (await bo.post('/messages', { type: 'direct', to: [ana.id], content: text })).body.id
      : await sender(bo, channel)('Short', text)
    marked.length = 0
    await goTo(hashes[place]!)
    await page.reload()
    await page.locator('main[aria-busy=false]').waitFor()
    await page.locator('article', { hasText: text }).waitFor()
    await page.keyboard.press('End')
    await page.clock.runFor(aWhile)
    if (isMarkedNow) await expect.poll(() => isRead(ana, id)).toBe(true)
    else expect(marked).toEqual([])
    expect(await isRead(ana, id)).toBe(isMarkedNow)
  }
})

test('nothing is marked before the setting is known', async () => {
  const { page, ana, ids, marked, goTo, channel } = await scene(() => '#inbox')
  await ana.patch('/settings', { web_mark_read_on_scroll_policy: 3 })
  let letGo = () => {}
  const held = new Promise<void>((resolve) => {
    letGo = resolve
  })
  await page.route('**/json/register', async (route) => {
    await held
    await route.continue()
  })
  await goTo(`#narrow/channel/${channel.id}/topic/Long`)
  await page.reload()
  await page.getByText('Message 1', { exact: true }).waitFor()
  await page.clock.runFor(aWhile)
  expect(marked).toEqual([])
  letGo()
  await page.locator('main[aria-busy=false]').waitFor()
  await page.clock.runFor(aWhile)
  expect(marked).toEqual([])
  expect(await isRead(ana, ids[0]!)).toBe(false)
})
