import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import type { Bench, Scenario } from '../bench.ts'
import { budgets, type Finding } from '../budgets.ts'
import { median, percentile } from '../measure.ts'
import { rawRequest } from '../raw-client.ts'
import { size } from '../seed.ts'
import { home } from '../server.ts'
import { Reader, type Tab } from '../web-client.ts'

const times = 5
/** How many pages of history are read upwards. */
const pages = 40

/** Measures how long a reader of the web client waits, in a real browser. */
export const web: Scenario = {
  name: 'web',
  title: `The web client in Chromium, ${size.users.toLocaleString('en')} users`,

  async run(bench) {
    const reader = await Reader.create(bench)
    try {
      const loads = await measureLoads(bench, reader)
      const tab = await reader.tab()
      await tab.page.goto(`${reader.url}#${topic(bench, 0)}`)
      await tab.run('bench.state')
      const heap = await tab.settled()
      const findings = [
        ...firstLoad(),
        ...loads,
        of('heap after load', (heap.JSHeapUsedSize ?? 0) / 1e6, 'MB', 'webHeap'),
        of('nodes of the page after load', heap.Nodes ?? 0, '', 'webNodes'),
        ...(await measureSwitches(bench, tab)),
        ...(await measureBurst(bench, tab)),
        ...(await measureHistory(bench, tab)),
        ...(await measureKeys(bench, tab)),
      ]
      return { rows: [], findings }
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

async function measureLoads(bench: Bench, reader: Reader): Promise<Finding[]> {
  const load = async (prepare: (tab: Tab) => Promise<void>, count: number) => {
    const found: { list: number; state: number }[] = []
    for (let i = 0; i < count; i++) {
      const tab = await reader.tab()
      await prepare(tab)
      await tab.page.goto(`${reader.url}#${topic(bench, i)}`)
      found.push({ list: await tab.run('bench.list'), state: await tab.run('bench.state') })
      await tab.close()
    }
    return { list: median(found.map(({ list }) => list)), state: median(found.map(({ state }) => state)) }
  }
  await load(async () => {}, 2)
  const quick = await load(async () => {}, times)
  const slow = await load(async (tab) => {
    await tab.slowDown(4)
    await tab.slowNetwork()
  }, times)
  return [
    of('first list of messages', quick.list, 'ms', 'webList'),
    of('full state', quick.state, 'ms', 'webState'),
    of('first list, slow device and network', slow.list, 'ms', 'webSlowList'),
    of('full state, slow device and network', slow.state, 'ms', 'webSlowState'),
  ]
}

async function measureSwitches(bench: Bench, tab: Tab): Promise<Finding[]> {
  const goTo = (number: number) => tab.run<number>(`bench.goTo('${topic(bench, number)}')`)
  const [fresh, loaded]: [number[], number[]] = [[], []]
  for (let i = 1; i <= 2 * times; i++) fresh.push(await goTo(i))
  // Each takes a whole number of frames, so the median of only a few would vary by one.
  for (let i = 0; i < 20 * times; i++) loaded.push(await goTo(1 + (i % (2 * times))))
  return [
    of('to another view, not loaded', median(fresh), 'ms', 'webSwitch'),
    of('to another view, loaded', median(loaded), 'ms', 'webSwitchLoaded'),
  ]
}

/** Measures the cost of a thousand messages that came while there was no connection, for a view that does not show them. */
async function measureBurst(bench: Bench, tab: Tab): Promise<Finding[]> {
  const found: number[] = []
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
  }
  return [of('1,000 events together, script', median(found), 'ms', 'webBurst')]
}

function say(bench: Bench, user: number, message: Record<string, string>) {
  const authorization = bench.organization.authorization(user)
  return bench.ask(rawRequest('POST', '/api/v1/messages', { authorization }, message))
}

async function measureHistory(bench: Bench, tab: Tab): Promise<Finding[]> {
  await tab.run(`bench.goTo('narrow/channel/${bench.organization.large}')`)
  const found: { shift: number; gaps: number[] }[] = []
  for (let i = 0; i < pages; i++) found.push(await tab.run('bench.pageUp()'))
  const gaps = found.flatMap((one) => one.gaps)
  await tab.slowDown(4)
  const slow: number[] = []
  for (let i = 0; i < 2 * times; i++) {
    const { gaps } = await tab.run<{ gaps: number[] }>('bench.pageUp()')
    slow.push(gaps.reduce((sum, one) => sum + one, 0))
  }
  await tab.slowDown(1)
  const late = gaps.filter((gap) => gap > 50).length
  return [
    of(
      `${pages} pages of history, furthest shift`,
      Math.max(...found.map(({ shift }) => shift)),
      'px',
      'webShift',
    ),
    of('frames of paging over 50 ms', (late / gaps.length) * 100, '%', 'webLateFrames'),
    of('a page of history, slow device', median(slow), 'ms', 'webSlowPage'),
  ]
}

/** Keys in the box to write, on a slow device, while others write 50 messages a second. */
async function measureKeys(bench: Bench, tab: Tab): Promise<Finding[]> {
  await tab.run(`bench.goTo('${topic(bench, 0)}')`)
  await tab.page.locator('.composer textarea').click()
  await tab.slowDown(4)
  const words = { type: 'channel', to: String(bench.organization.small), topic: 'keys', content: 'Words' }
  let isOver = false
  const talking = (async () => {
    while (!isOver) await Promise.all([say(bench, 1, words), sleep(20)])
  })()
  await tab.run('bench.keys.length = 0')
  for (const letter of 'The quick brown fox jumps over the lazy dog, and over the other.') {
    await tab.page.keyboard.press(letter)
    await sleep(40)
  }
  const keys = await tab.run<number[]>('bench.keys')
  isOver = true
  await talking
  const script = async () => ((await tab.metrics()).ScriptDuration ?? 0) * 1000
  await tab.page.keyboard.type(' @')
  const typed: number[] = []
  for (const letter of 'anbe loka') {
    const before = await script()
    await tab.page.keyboard.press(letter)
    await tab.run('bench.frames()')
    typed.push((await script()) - before)
  }
  return [
    of('key to paint, slow device, p95', percentile(keys, 95), 'ms', 'webKey'),
    of('a key that completes a name, slow device, script', median(typed), 'ms', 'webTypeahead'),
  ]
}
