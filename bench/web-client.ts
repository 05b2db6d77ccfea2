import { type Browser, type BrowserContext, type CDPSession, chromium, type Page } from 'playwright-core'
import { chromiumProgram, unpackChromium } from '../test/browser/chromium-program.ts'
import type { Bench } from './bench.ts'
import { rawRequest } from './raw-client.ts'

const email = 'reader@example.com'
const password = 'a long enough password'
const owner = 0

/** A reader of the web client, in a real browser: a new user who is subscribed to the small and the large channel. */
export class Reader {
  readonly url: string
  private readonly browser: Browser
  private readonly cookie: { name: string; value: string }

  /** Their id. */
  readonly id: number

  private constructor(id: number, url: string, browser: Browser, cookie: { name: string; value: string }) {
    this.id = id
    this.url = url
    this.browser = browser
    this.cookie = cookie
  }

  static async create(bench: Bench): Promise<Reader> {
    const asOwner = { authorization: bench.organization.authorization(owner) }
    const post = (path: string, params: Record<string, string>, more: Record<string, string>) =>
      bench.ask(rawRequest('POST', path, { ...more, host: `localhost:${bench.server.port}` }, params))
    const made = await post('/api/v1/users', { email, password, full_name: 'The Reader' }, asOwner)
    const { user_id } = JSON.parse(made.body.toString())
    const subscriptions = JSON.stringify(['small', 'large'].map((name) => ({ name })))
    const principals = JSON.stringify([user_id])
    await post('/api/v1/users/me/subscriptions', { subscriptions, principals }, asOwner)
    const url = `http://localhost:${bench.server.port}/`
    const origin = { origin: url.slice(0, -1) }
    const session = await post('/api/v1/rookery/session', { email, password }, origin)
    // Another cookie tells the page's scripts whose session it is.
    const [, name = '', value = ''] = /^set-cookie: ((?:__Host-)?rookery)=([^;]*)/im.exec(session.head) ?? []
    await unpackChromium()
    const browser = await chromium.launch({
      executablePath: chromiumProgram,
      args: ['--no-sandbox', '--disable-gpu', '--enable-precise-memory-info'],
    })
    return new Reader(user_id, url, browser, { name, value })
  }

  /** Opens a tab with an empty cache, on a page of nothing. */
  async tab(): Promise<Tab> {
    const context = await this.browser.newContext({ viewport: { width: 1280, height: 800 } })
    await context.addCookies([{ ...this.cookie, domain: 'localhost', path: '/', httpOnly: true }])
    const page = await context.newPage()
    await page.addInitScript(helpers)
    await page.addInitScript(`bench.userId = ${this.id}`)
    const devtools = await context.newCDPSession(page)
    await devtools.send('Performance.enable')
    return new Tab(context, page, devtools)
  }

  close() {
    return this.browser.close()
  }
}

export class Tab {
  readonly context: BrowserContext
  readonly page: Page
  readonly devtools: CDPSession

  constructor(context: BrowserContext, page: Page, devtools: CDPSession) {
    this.context = context
    this.page = page
    this.devtools = devtools
  }

  /** Runs an expression in the page. */
  run<T>(expression: string): Promise<T> {
    return this.page.evaluate<T>(expression)
  }

  /** The browser's own counts: seconds of script, nodes, listeners. */
  async metrics(): Promise<Record<string, number>> {
    const { metrics } = await this.devtools.send('Performance.getMetrics')
    return Object.fromEntries(metrics.map(({ name, value }) => [name, value]))
  }

  /** The same after all garbage was collected. */
  async settled(): Promise<Record<string, number>> {
    for (let i = 0; i < 3; i++) await this.devtools.send('HeapProfiler.collectGarbage')
    return this.metrics()
  }

  /** Makes the processor slower by a factor. */
  async slowDown(rate: number) {
    await this.devtools.send('Emulation.setCPUThrottlingRate', { rate })
  }

  /** 1.6 Mbit/s down and 0.75 up, with 150 ms for each request. */
  async slowNetwork() {
    await this.devtools.send('Network.enable')
    await this.devtools.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: 150,
      downloadThroughput: 1_600_000 / 8,
      uploadThroughput: 750_000 / 8,
    })
  }

  close() {
    return this.context.close()
  }
}

// What the page measures of itself. A frame is painted once two callbacks of animation frames have run.
const helpers = `(() => {
  const frames = () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))
  const until = async (found) => {
    const start = performance.now()
    while (!found()) {
      if (performance.now() - start > 30_000) throw new Error('It did not come: ' + found)
      await new Promise((done) => requestAnimationFrame(done))
    }
  }
  window.bench = {
    frames,
    until,
    list: until(() => document.querySelector('article.row')).then(frames).then(() => performance.now()),
    state: until(() => document.querySelector('main[aria-busy=false]')).then(frames).then(() => performance.now()),
    async goTo(hash) {
      const before = document.querySelector('.message-rows')
      const start = performance.now()
      location.hash = hash
      await until(() => {
        const rows = document.querySelector('.message-rows')
        return rows !== before && rows?.querySelector('article.row')
      })
      await frames()
      return performance.now() - start
    },
    keys: [],
    // The title counts direct messages.
    calls: () => Number(/^\\((\\d+)\\)/.exec(document.title)?.[1] ?? 0),
    async pageUp() {
      const scroller = document.querySelector('.message-scroller')
      const before = scroller.querySelector('article')
      // They come a few in a frame.
      const above = () => [...before.parentElement.children].indexOf(before)
      scroller.scrollTop = 500
      const top = scroller.getBoundingClientRect().top
      const row = [...scroller.querySelectorAll('article')].find((one) => one.getBoundingClientRect().top >= top)
      const place = row.getBoundingClientRect().top
      let last = performance.now()
      const gaps = []
      await until(() => {
        gaps.push(performance.now() - last)
        last = performance.now()
        return above() >= 100
      })
      await frames()
      return { shift: Math.abs(row.getBoundingClientRect().top - place), gaps }
    },
  }
  addEventListener('keydown', (event) => {
    requestAnimationFrame(() => {
      const { port1, port2 } = new MessageChannel()
      port1.onmessage = () => bench.keys.push(performance.now() - event.timeStamp)
      port2.postMessage(0)
    })
  }, true)
})()`
