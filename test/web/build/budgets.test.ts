import type { CDPSession, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { rowsPerFrame, rowsShown } from '../../../web/lib/shown-rows.ts'
import { viewports, webBrowser } from '../../browser/chromium.ts'
import { sender } from '../../messages.ts'
import { secureHost, testServer } from '../../test-server.ts'
import { multiply } from '../many-messages.ts'
import { twoPeople } from '../two-people.ts'

// Counts, which are the same on every machine. `npm run bench -- web` measures times.

const server = testServer({ host: secureHost })
const browser = webBrowser()
// More than are paged through, however late the test looks.
const messages = 3000

/** Ana has a long topic open. The rows that each frame has brought are counted from the start. */
async function scene() {
  const { org, ana, bo, channel } = await twoPeople(server.organization)
  const words = await sender(bo, channel)('Long', 'Message ONE')
  const picture = await sender(bo, channel)('Long', 'Some **words** and `code`')
  await ana.post('/mark_all_as_read')
  await ana.post('/mark_all_as_read')
  await multiply(server.databaseUrl, org.id, { words, picture, messages })
  const { port } = await server.anotherNode()
  const place = { ...org.place, port }
  const opened = await browser.open({ ...org, place }, ana)
  const { page, context } = opened
  await page.addInitScript(countRows)
  const hash = `#narrow/channel/${channel.id}/topic/Long`
  await page.goto('about:blank')
  await page.goto(opened.url + hash)
  await page.getByText(`Message ${messages - 1}`, { exact: true }).waitFor()
  const devtools = await context.newCDPSession(page)
  await devtools.send('Performance.enable')
  const say = sender(bo.at(place), channel)
  return { ...opened, devtools, ana, say, hash }
}

/** Counts the rows that come into the page in each frame, and what else changes in the list. */
const countRows = `
  window.perFrame = [0]
  const note = (changes) => {
    for (const { addedNodes } of changes)
      for (const node of addedNodes) if (node.nodeName === 'ARTICLE') window.perFrame[window.perFrame.length - 1]++
      else if (node.querySelector) window.perFrame[window.perFrame.length - 1] += node.querySelectorAll('article').length
  }
  const observer = new MutationObserver(note)
  observer.observe(document, { childList: true, subtree: true })
  const tick = () => { note(observer.takeRecords()); window.perFrame.push(0); requestAnimationFrame(tick) }
  requestAnimationFrame(tick)`

async function counts(devtools: CDPSession) {
  for (let i = 0; i < 3; i++) await devtools.send('HeapProfiler.collectGarbage')
  const { metrics } = await devtools.send('Performance.getMetrics')
  const of = (name: string) => metrics.find((one) => one.name === name)?.value ?? Number.NaN
  return {
    nodes: of('Nodes'),
    listeners: of('JSEventListeners'),
    heap: of('JSHeapUsedSize') / 1e6,
    layouts: of('LayoutCount'),
    styles: of('RecalcStyleCount'),
  }
}

const frames = (page: Page) =>
  page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))')

const rows = (page: Page) => page.locator('article.row').count()

async function pageUp(page: Page) {
  const oldest = async () => Number(await page.locator('article.row').first().getAttribute('data-id'))
  const before = await oldest()
  await page.evaluate(`document.querySelector('.message-scroller').scrollTop = 0`)
  await expect.poll(oldest).toBeLessThan(before)
}

test('rows come a few in a frame, and neither they nor their listeners pile up', async () => {
  const { page, devtools } = await scene()
  await expect.poll(() => rows(page)).toBe(50)
  const [first = 0, ...others] = (await page.evaluate<number[]>('perFrame')).filter((count) => count > 0)
  // The first rows fill the view.
  expect(first).toBeLessThanOrEqual(viewports.wide.height / 20)
  expect(Math.max(...others)).toBeLessThanOrEqual(rowsPerFrame)
  await page.evaluate('void (window.perFrame = [0])')
  while ((await rows(page)) < rowsShown) await pageUp(page)
  await expect.poll(() => rows(page)).toBe(rowsShown)
  const before = await counts(devtools)
  for (let i = 0; i < 20; i++) await pageUp(page)
  expect(Math.max(...(await page.evaluate<number[]>('perFrame')))).toBeLessThanOrEqual(rowsPerFrame)
  await expect.poll(() => rows(page)).toBe(rowsShown)
  const after = await counts(devtools)
  expect(after.nodes).toBeLessThanOrEqual(8000)
  expect(after.nodes - before.nodes).toBeLessThanOrEqual(1000)
  expect(after.listeners - before.listeners).toBeLessThanOrEqual(20)
  expect(after.heap - before.heap).toBeLessThanOrEqual(5)
})

test('a key in the box to write changes no row, and costs few layouts', async () => {
  const { page, devtools } = await scene()
  await expect.poll(() => rows(page)).toBe(50)
  await page.locator('.composer textarea').click()
  await page.keyboard.type('The quick ')
  await frames(page)
  await page.evaluate(`
    window.changes = 0
    new MutationObserver((all) => { changes += all.length })
      .observe(document.querySelector('.message-rows'), { childList: true, subtree: true, attributes: true })`)
  const text = 'brown fox jumps over'
  const before = await counts(devtools)
  for (const letter of text) {
    await page.keyboard.press(letter)
    await frames(page)
  }
  const after = await counts(devtools)
  expect(await page.evaluate('changes')).toBe(0)
  expect((after.layouts - before.layouts) / text.length).toBeLessThanOrEqual(2)
  expect((after.styles - before.styles) / text.length).toBeLessThanOrEqual(2)
})

test('a hundred messages that come together are one change of the page, not a hundred', async () => {
  const { page, context, devtools, say } = await scene()
  await expect.poll(() => rows(page)).toBe(50)
  await context.setOffline(true)
  for (let n = 1; n <= 100; n++) await say('Elsewhere', `Message ${n}`)
  await frames(page)
  const before = await counts(devtools)
  await context.setOffline(false)
  await page.getByRole('link', { name: /Elsewhere/ }).waitFor()
  const after = await counts(devtools)
  expect(after.layouts - before.layouts).toBeLessThanOrEqual(40)
  expect(after.nodes - before.nodes).toBeLessThanOrEqual(500)
})

test('views that were opened and left keep nothing', async () => {
  const { page, devtools, url, hash } = await scene()
  await expect.poll(() => rows(page)).toBe(50)
  const visit = async (to: string) => {
    await page.goto(url + to)
    await page.locator('h1').first().waitFor()
    await frames(page)
  }
  const tour = ['#inbox', '#recent', '#channels', '#drafts', '#feed', hash]
  for (let round = 0; round < 2; round++) for (const to of tour) await visit(to)
  await expect.poll(() => rows(page)).toBe(50)
  const before = await counts(devtools)
  for (let round = 0; round < 4; round++) for (const to of tour) await visit(to)
  await expect.poll(() => rows(page)).toBe(50)
  // What is still being done in the last view holds nodes until it is over.
  await expect.poll(async () => (await counts(devtools)).nodes - before.nodes).toBeLessThanOrEqual(500)
  const after = await counts(devtools)
  expect(after.listeners - before.listeners).toBeLessThanOrEqual(20)
  expect(after.heap - before.heap).toBeLessThanOrEqual(2)
  expect(after.heap).toBeLessThanOrEqual(40)
})
