import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import type { Bench, Scenario } from '../bench.ts'
import { budgets, type Finding } from '../budgets.ts'
import { median, percentile, ratio } from '../measure.ts'
import { rawRequest } from '../raw-client.ts'
import { size } from '../seed.ts'
import { home } from '../server.ts'
import { Reader, type Tab } from '../web-client.ts'
import { barePage, measureLoads } from '../web-loads.ts'

/** How many views are opened, and opened again. */
const switches = 10
/** How many pages of history are read upwards. */
const pages = 40

/** What a reader of the web client waits for, in a real browser. */
export const web: Scenario = {
  name: 'web',
  title: `The web client in Chromium, ${size.users.toLocaleString('en')} users`,

  async run(bench) {
    const reader = await Reader.create(bench)
    try {
      const loads = await measureLoads(bench, reader, (n) => topic(bench, n))
      const tab = await reader.tab()
      await tab.page.goto(`${reader.url}#${topic(bench, 0)}`)
      await tab.run('bench.state')
      const heap = await tab.settled()
      const findings = [
        ...firstLoad(),
        ...loads.findings,
        of('heap after load', (heap.JSHeapUsedSize ?? 0) / 1e6, 'MB', 'webHeap'),
        of('nodes of the page after load', heap.Nodes ?? 0, '', 'webNodes'),
        ...(await measureSwitches(bench, tab)),
        ...(await measureBurst(bench, tab)),
        ...(await measureHistory(bench, tab)),
        ...(await measureKeys(bench, reader, tab)),
      ]
      return { rows: loads.rows, findings }
    } finally {
      await reader.close()
    }
  },
}

function of(what: string, value: number, unit: string, budget: keyof typeof budgets): Finding {
  return { what, value, unit, budget: budgets[budget] }
}

/** The address of a topic of the large channel. */
function topic(bench: Bench, number: number) {
  return `narrow/channel/${bench.organization.large}/topic/topic.20${number}`
}

/** Bytes that the browser loads before the first list, as they are sent, in kB. */
function firstLoad(): Finding[] {
  const folder = `${home}dist/web/`
  const page = readFileSync(`${folder}index.html`, 'utf8')
  const texts = readdirSync(`${folder}assets`).filter((name) => /^en-.*\.js$/.test(name))
  const named = [...page.matchAll(/(?:src|href)="\/(assets\/[^"]+)"/g)].map(([, path = '']) => path)
  const files = [...named, ...texts.map((name) => `assets/${name}`)]
  const sizeOf = (extension: string) =>
    files
      .filter((path) => path.endsWith(extension))
      .map((path) => gzipSync(readFileSync(folder + path), { level: 9 }).length)
      .reduce((sum, one) => sum + one, 0) / 1000
  return [
    of('first load, script', sizeOf('.js'), 'kB', 'webScript'),
    of('first load, styles', sizeOf('.css'), 'kB', 'webStyles'),
  ]
}

async function measureSwitches(bench: Bench, tab: Tab): Promise<Finding[]> {
  const found = { fresh: [] as number[], loaded: [] as number[], frames: [] as number[] }
  for (const which of ['fresh', 'loaded'] as const) {
    for (let i = 1; i <= switches; i++) {
      found[which].push(await tab.run<number>(`bench.goTo('${topic(bench, i)}')`))
      found.frames.push(await tab.run<number>('bench.twoFrames()'))
    }
  }
  // A time is whole frames, so the ratio is that of medians.
  const frames = median(found.frames)
  return [
    of('to another view, not loaded, of two frames', median(found.fresh) / frames, '×', 'webSwitchOfBare'),
    of('to another view, loaded, of two frames', median(found.loaded) / frames, '×', 'webSwitchLoadedOfBare'),
  ]
}

/** What a thousand messages cost that came while there was no connection, for a view that does not show them. */
async function measureBurst(bench: Bench, tab: Tab): Promise<Finding[]> {
  const found: number[] = []
  const bare: number[] = []
  for (let i = 0; i < 3; i++) {
    const calls = await tab.run<number>('bench.calls()')
    await tab.context.setOffline(true)
    const words = { type: 'channel', to: String(bench.organization.small), topic: 'burst', content: 'Words' }
    for (let sent = 0; sent < 1000; sent += 4) {
      await Promise.all([0, 1, 2, 3].map((user) => say(bench, user, words)))
    }
    await say(bench, 0, {
      type: 'direct',
      to: JSON.stringify([await tab.run('bench.userId')]),
      content: 'End',
    })
    const before = (await tab.metrics()).ScriptDuration ?? 0
    await tab.context.setOffline(false)
    await tab.run(`bench.until(() => bench.calls() > ${calls})`)
    found.push((((await tab.metrics()).ScriptDuration ?? 0) - before) * 1000)
    bare.push(await bareWork(tab))
  }
  const { value } = ratio(found, bare)
  return [of('1,000 events together, script, of the bare work', value, '×', 'webBurstOfBare')]
}

/** Milliseconds of the bare work in the page, once it is compiled. */
async function bareWork(tab: Tab): Promise<number> {
  const found: number[] = []
  for (let i = 0; i < 10; i++) found.push(await tab.run<number>('bench.work()'))
  return median(found.slice(5))
}

function say(bench: Bench, user: number, message: Record<string, string>) {
  const authorization = bench.organization.authorization(user)
  return bench.ask(rawRequest('POST', '/api/v1/messages', { authorization }, message))
}

async function measureHistory(bench: Bench, tab: Tab): Promise<Finding[]> {
  await tab.run(`bench.goTo('narrow/channel/${bench.organization.large}')`)
  const found: { shift: number; gaps: number[] }[] = []
  const twoFrames: number[] = []
  for (let i = 0; i < pages; i++) {
    found.push(await tab.run('bench.pageUp()'))
    twoFrames.push(await tab.run<number>('bench.twoFrames()'))
  }
  const gaps = found.flatMap((one) => one.gaps)
  const frame = median(twoFrames) / 2
  const late = gaps.filter((gap) => gap > 3 * frame).length
  return [
    of(
      `${pages} pages of history, furthest shift`,
      Math.max(...found.map(({ shift }) => shift)),
      'px',
      'webShift',
    ),
    of('frames of paging that take three', (late / gaps.length) * 100, '%', 'webLateFrames'),
  ]
}

/** Keys in the box to write, on a slow device, while others write 50 messages a second; against a box in a bare page. */
async function measureKeys(bench: Bench, reader: Reader, tab: Tab): Promise<Finding[]> {
  await tab.run(`bench.goTo('${topic(bench, 0)}')`)
  const keys = await whileOthersWrite(bench, () => writeIn(tab, '.composer textarea'))
  const port = await bench.bareHttp.do('listen', null)
  await bench.bareHttp.do('answerWith', { body: barePage(0), headers: { 'content-type': 'text/html' } })
  const bareTab = await reader.tab()
  await bareTab.page.goto(`http://127.0.0.1:${port}/`)
  await bareTab.page.bringToFront()
  const bareKeys = await writeIn(bareTab, 'textarea')
  await bareTab.close()
  await tab.page.bringToFront()
  const script = async () => ((await tab.metrics()).ScriptDuration ?? 0) * 1000
  await tab.page.keyboard.type(' @')
  const typed: number[] = []
  for (const letter of 'anbe loka') {
    const before = await script()
    await tab.page.keyboard.press(letter)
    await tab.run('bench.frames()')
    typed.push((await script()) - before)
  }
  const slow = 'slow device'
  const paint = percentile(keys, 95) / percentile(bareKeys, 95)
  const name = median(typed) / (await bareWork(tab))
  return [
    of(`key to paint, ${slow}, p95, of a bare page`, paint, '×', 'webKeyOfBare'),
    of(`a key that completes a name, ${slow}, script, of the bare work`, name, '×', 'webTypeaheadOfBare'),
  ]
}

async function whileOthersWrite<T>(bench: Bench, work: () => Promise<T>): Promise<T> {
  const words = { type: 'channel', to: String(bench.organization.small), topic: 'keys', content: 'Words' }
  let isOver = false
  const talking = (async () => {
    while (!isOver) await Promise.all([say(bench, 1, words), sleep(20)])
  })()
  const found = await work()
  isOver = true
  await talking
  return found
}

/** Returns the milliseconds from each key to its paint. */
async function writeIn(tab: Tab, box: string): Promise<number[]> {
  await tab.page.locator(box).click()
  await tab.slowDown(4)
  await tab.run('bench.keys.length = 0')
  for (const letter of 'The quick brown fox jumps over the lazy dog, and over the other.') {
    await tab.page.keyboard.press(letter)
    await sleep(40)
  }
  return tab.run<number[]>('bench.keys')
}
