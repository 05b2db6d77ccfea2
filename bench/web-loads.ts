import type { Bench } from './bench.ts'
import { budgets, type Finding } from './budgets.ts'
import { alternate, type Row, ratio, rowOf, type Slice } from './measure.ts'
import type { Reader, Tab } from './web-client.ts'

const times = 5
const rowsOfPage = 50

type Load = Slice & { list: number; state: number; bytes: { list: number; state: number } }

/** How long the client takes to show messages, and all of the state, against bare pages of as many bytes. */
export async function measureLoads(
  bench: Bench,
  reader: Reader,
  hash: (n: number) => string,
): Promise<{ rows: Row[]; findings: Finding[] }> {
  const port = await bench.bareHttp.do('listen', null)
  const quick = await measure(bench, reader, { port, hash, prepare: async () => {} })
  const slow = await measure(bench, reader, {
    port,
    hash,
    async prepare(tab) {
      await tab.slowDown(4)
      await tab.slowNetwork()
    },
  })
  return {
    rows: [
      rowOf('first load of the client', quick.real),
      rowOf('  a bare page of as many bytes', quick.bareState),
      rowOf('the same, slow device and network', slow.real),
      rowOf('  a bare page of as many bytes', slow.bareState),
    ],
    findings: [
      of('first list of messages', quick.list, 'webListOfBare'),
      of('full state', quick.state, 'webStateOfBare'),
      of('first list, slow device and network', slow.list, 'webSlowListOfBare'),
      of('full state, slow device and network', slow.state, 'webSlowStateOfBare'),
    ],
  }
}

function of(what: string, found: ReturnType<typeof ratio>, budget: keyof typeof budgets): Finding {
  return { what: `${what}, of a bare page`, ...found, budget: budgets[budget] }
}

type Plan = { port: number; hash(n: number): string; prepare(tab: Tab): Promise<void> }

async function measure(bench: Bench, reader: Reader, { port, hash, prepare }: Plan) {
  let n = 0
  const load = () => loadPage(bench, reader, `${reader.url}#${hash(n++)}`, prepare)
  const { bytes } = await load()
  const bare = async (size: number) => {
    await bench.bareHttp.do('answerWith', { body: barePage(size), headers: { 'content-type': 'text/html' } })
    return loadPage(bench, reader, `http://127.0.0.1:${port}/`, prepare)
  }
  const { real, bareList, bareState } = await alternate(times, {
    real: load,
    bareList: () => bare(bytes.list),
    bareState: () => bare(bytes.state),
  })
  const list = ({ list }: Load) => list
  const state = ({ state }: Load) => state
  return {
    real,
    bareState,
    list: ratio(real.map(list), bareList.map(list)),
    state: ratio(real.map(state), bareState.map(state)),
  }
}

async function loadPage(bench: Bench, reader: Reader, url: string, prepare: Plan['prepare']): Promise<Load> {
  const tab = await reader.tab()
  await prepare(tab)
  const found = await bench.withCpuTime(async () => {
    await tab.page.goto(url)
    return { list: await tab.run<number>('bench.list'), state: await tab.run<number>('bench.state') }
  })
  const bytes = {
    list: await tab.run<number>(`bench.bytesUntil(${found.list})`),
    state: await tab.run<number>(`bench.bytesUntil(${found.state})`),
  }
  await tab.close()
  return { ...found, bytes, count: 1, seconds: found.state / 1000, latencies: [found.state] }
}

/** The minimum of a page of messages: as many bytes in one response, at whose end are the rows. */
export function barePage(size: number): Buffer {
  const rows = '<article class="row">Some words of a message</article>'.repeat(rowsOfPage)
  const end = `<main aria-busy="false"><textarea></textarea>${rows}</main>`
  const start = '<!doctype html><title>Bare</title><link rel="icon" href="data:,">'
  const filler = 'x'.repeat(Math.max(0, size - start.length - end.length))
  return Buffer.from(`${start}<!--${filler}-->${end}`)
}
