import type { Page } from 'playwright-core'
import { afterAll, expect, test } from 'vitest'
import { openPage, webBrowser, webUser } from '../../browser/chromium.ts'
import { sender } from '../../messages.ts'
import { secureHost, testServer } from '../../test-server.ts'
import { Front } from '../front.ts'
import { keepNow } from '../kept-state.ts'

const server = testServer({ host: secureHost })
const browser = webBrowser()
const fronts: Front[] = []
afterAll(async () => {
  for (const front of fronts) await front.close().catch(() => {})
})

/** Ana has a topic open, and her browser has all that it needs to open it without the server. */
async function scene() {
  const made = await server.organization()
  const front = new Front(server.node.port)
  fronts.push(front)
  await front.open()
  const org = { owner: made.owner, visitor: made.visitor, place: { ...made.place, port: front.port } }
  const [ana, bo] = [await webUser(made, 'Ana Ruiz'), await webUser(made, 'Bo Lind')]
  const channel = await made.channel({ name: 'design', subscribers: [ana, bo] })
  const say = sender(bo, channel)
  await say('Icons', 'Here before')
  const hash = `#narrow/channel/${channel.id}/topic/Icons`
  const opened = await browser.open(org, ana, hash, { serviceWorkers: 'allow' })
  await opened.page.getByText('Here before').waitFor()
  await keepNow(opened.page, ana.id)
  await opened.page.evaluate('navigator.serviceWorker.ready.then(() => {})')
  expect(await shells(opened.page)).toHaveLength(1)
  return { ...opened, front, ana, say, hash }
}

/** The versions of the client that the browser has cached whole. */
function shells(page: Page) {
  return page.evaluate<string[]>(`(async () => {
    const names = await caches.keys()
    const pages = await Promise.all(names.map(async (name) => (await caches.open(name)).match('/')))
    return names.filter((_, i) => pages[i])
  })()`)
}

test('the page opens without the server, says so, and goes on when the server is back', async () => {
  const { page, context, url, front, say, hash } = await scene()
  await page.close()
  await front.close()
  await say('Icons', 'Sent meanwhile')
  const { page: next } = await openPage(context, url + hash)
  await next.getByText('Here before').waitFor()
  await next.getByText('Reconnecting').waitFor()
  await next.locator('.composer textarea').fill('Written without the server')
  await next.keyboard.press('Control+Enter')
  await front.open()
  await next.getByText('Sent meanwhile').waitFor()
  await expect
    .poll(() => next.locator('article:not(.outgoing)', { hasText: 'Written without' }).count())
    .toBe(1)
  await next.getByText('Reconnecting').waitFor({ state: 'detached' })

  await context.setOffline(true)
  await next.getByText('You are offline').waitFor()
  await context.setOffline(false)
  await next.getByText('You are offline').waitFor({ state: 'detached' })
})

test('the page opens while the server does not answer', async () => {
  const { page, context, url, front, hash } = await scene()
  await page.close()
  front.stalled = ['/']
  const { page: next } = await openPage(context, url + hash)
  await next.getByText('Here before').waitFor()
  await next.close()

  // Also where the browser's database answers late.
  front.stalled = ['/', '/json/register']
  const last = await context.newPage()
  await last.addInitScript(`
    const open = indexedDB.open.bind(indexedDB)
    const later = (name, version) => {
      const request = new EventTarget()
      setTimeout(() => {
        const real = open(name, version)
        real.onsuccess = () => { request.result = real.result; request.onsuccess() }
      }, 3000)
      return request
    }
    Object.defineProperty(indexedDB, 'open', { value: later })
  `)
  await last.goto(url + hash)
  await last.getByText('Here before').waitFor()
})

test('a new version of the server is shown by the next page, and takes the place of the cached one', async () => {
  const { page, context, url, front, ana, hash } = await scene()
  const [before] = await shells(page)
  // Another build: its page, a file of it, and the worker with its list.
  const name = /start-[\w-]+\.css/.exec(await page.content())![0]
  const renamed = (text: string) => text.replaceAll(name, `next-${name}`)
  front.aliases = { [`/assets/next-${name}`]: `/assets/${name}` }
  front.rewrite = {
    '/': (text) => renamed(text).replace('<title>', '<meta name="version" content="next"><title>'),
    '/sw.js': renamed,
  }
  const version = (one: Page) => one.locator('meta[name=version]').getAttribute('content')
  // A server that takes seconds to answer would not be waited for.
  await expect
    .poll(async () => {
      await page.reload()
      return version(page)
    })
    .toBe('next')
  // Only what the page shows by then is kept.
  await page.getByText('Here before').waitFor()
  await page.evaluate(`navigator.serviceWorker.getRegistration().then((one) => void one.update())`)
  await keepNow(page, ana.id)
  // Open pages of the version before may still load parts of theirs.
  await expect.poll(() => shells(page), { timeout: 45_000 }).toEqual([before, expect.any(String)])
  await page.close()
  await front.close()
  const last = await context.newPage()
  await last.goto(url + hash)
  expect(await version(last)).toBe('next')
  await last.getByText('Here before').waitFor()
})
