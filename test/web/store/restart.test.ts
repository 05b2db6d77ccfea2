import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { type Site, webBrowser, webUser } from '../../browser/chromium.ts'
import { sender } from '../../messages.ts'
import { Caller } from '../../person.ts'
import { ServerProcess } from '../../processes/server-process.ts'
import { firstInView, movedSince, type Seen } from '../scroller.ts'

const browser = webBrowser()

/** A page on a server process of its own, scrolled up in a long topic, with a text that was not sent. */
async function scene() {
  const server = await ServerProcess.create()
  const place = { host: 'localhost', port: server.place.port }
  const owner = (await server.owner()).at(place)
  const site: Site = { place, owner, visitor: new Caller(place) }
  const [ana, bo] = [await webUser(site, 'Ana Ruiz'), await webUser(site, 'Bo Lind')]
  const made = await owner.post('/users/me/subscriptions', {
    subscriptions: [{ name: 'birds' }],
    principals: [ana.id, bo.id],
  })
  expect(made.body.result).toBe('success')
  const { body } = await ana.get('/get_stream_id', { stream: 'birds' })
  const say = sender(bo, { id: body.stream_id })
  for (let n = 1; n <= 240; n++) await say('Owls', `Message ${n}\n\n${'and a line\n'.repeat(n % 4)}`)
  const all = { anchor: 'newest', num_before: 1000, num_after: 0, narrow: [], op: 'add', flag: 'read' }
  await ana.post('/messages/flags/narrow', all)
  const opened = await browser.open(site, ana, '#inbox')
  const { page } = opened
  // Its queue does not count.
  await page.goto('about:blank')
  const queues: string[] = []
  page.on('request', (request) => {
    const { pathname, searchParams } = new URL(request.url())
    const id = searchParams.get('queue_id')
    if (pathname === '/json/events' && id && !queues.includes(id)) queues.push(id)
  })
  await page.goto(`${opened.url}#narrow/channel/${body.stream_id}/topic/Owls`)
  await page.locator('article', { hasText: 'Message 240' }).waitFor()
  // A page that was loaded anew would not have it.
  await page.evaluate('window.isTheSamePage = true')
  await page.locator('.composer textarea').fill('not sent yet')
  await expect.poll(() => queues.length).toBe(1)
  // Up to what only the second page of older messages has brought.
  for (const n of [200, 160, 120, 100, 80]) {
    const row = page.locator('article', { hasText: `Message ${n}` })
    await row.evaluate((element) => element.scrollIntoView({ block: 'start' }))
  }
  const seen = await firstInView(page)
  const [queue, queueId] = [() => queues.length, () => queues.at(-1)]
  return { ...opened, server, ana, say, seen, queue, queueId }
}

/** Fails unless the page is the same, its text is kept, and its rows have not moved. */
async function expectNothingLost({ page, seen }: { page: Page; seen: Seen }) {
  expect(await page.evaluate('window.isTheSamePage')).toBe(true)
  expect(await page.locator('.composer textarea').inputValue()).toBe('not sent yet')
  expect(await movedSince(page, seen)).toBeLessThanOrEqual(1)
}

test('a page goes on without being loaded anew when the server was killed, also if its queue has gone', {
  timeout: 180_000,
}, async () => {
  const { server, say, ana, queue, queueId, ...rest } = await scene()
  const { page } = rest
  await server.kill()
  await page.getByText('Reconnecting').waitFor()
  await server.start()
  await say('Owls', 'Said after the restart')
  await page.getByRole('button', { name: '1 newer message' }).waitFor()
  await page.getByText('Reconnecting').waitFor({ state: 'detached' })
  expect(queue()).toBe(1)
  await expectNothingLost(rest)

  await server.kill()
  await server.start()
  await ana.delete('/events', { queue_id: queueId() })
  await say('Owls', 'Said to nobody')
  // The client tries again within half a minute at most.
  await expect.poll(queue, { timeout: 60_000 }).toBe(2)
  await say('Owls', 'Said to a new queue')
  await page.getByRole('button', { name: /newer message/ }).waitFor()
  await expectNothingLost(rest)
  await page.getByRole('button', { name: /newer message/ }).click()
  for (const text of ['Said to nobody', 'Said to a new queue']) await page.getByText(text).waitFor()
})
