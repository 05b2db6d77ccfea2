import { BareSearches, type Term } from '../bare/search.ts'
import type { BareWork } from '../bare/work.ts'
import type { Bench, Scenario } from '../bench.ts'
import { budgets, type Finding } from '../budgets.ts'
import { pairOf, topicOf, wordOf } from '../history.ts'
import { alternate, costOf, median, ratioOf, rowOf, type Slice } from '../measure.ts'
import { answerOf, rawRequest } from '../raw-client.ts'
import { historySize as size } from '../seed.ts'

const page = 50
const requestsOfEach = 60

/** Typical searches of users; `n`: a different one each time. */
const kinds: Record<string, (n: number, bench: Bench) => Term[]> = {
  'a rare word': (n) => [search(wordOf(30_000 + n * 311))],
  'a word in one message of 500': (n) => [search(wordOf(900 + n * 7))],
  'a word in one message of 15': (n) => [search(wordOf(n % 10))],
  'two words, both frequent': (n) => [search(`${wordOf(n % 20)} ${wordOf(20 + n)}`)],
  'two words, one rare': (n) => [search(`${wordOf(n % 20)} ${wordOf(3_000 + n * 11)}`)],
  'a phrase': (n) => [search(`"${pairOf(n)}"`)],
  'a phrase of frequent words': (n) => [search(`"${wordOf(n % 7)} ${wordOf(7 + (n % 11))}"`)],
  'a word that nobody wrote': (n) => [search(`xylograph${n}`)],
  'a word in a channel': (n, bench) => [channel(n, bench), search(wordOf(50 + n * 5))],
  'a word in the largest channel': (n, bench) => [largest(bench), search(wordOf(200 + n * 5))],
  'a word in a topic': (n, bench) => [largest(bench), topic(n), search(wordOf(n))],
  'a word from one sender': (n, bench) => [sender(n, bench), search(wordOf(n % 40))],
}

/** One reader who was always in all channels, and some who are in a tenth of them. */
const readers = [1, 100, 200, 300]

/** Pages of years of history. */
export const searching: Scenario = {
  name: 'search',
  title: `GET /messages, the newest ${page} with some words, of ${size.messages.toLocaleString('en')} messages`,
  size,

  async run(bench) {
    const names = Object.keys(kinds)
    for (const name of ['a rare word', 'a phrase', 'a word in a topic']) await check(bench, name)
    const barePort = await bareServer(bench)
    const run = (port: number, script: string[]) =>
      bench.load.do('requests', { port, seconds: bench.slice, scripts: [script] })
    const slicesOf = (name: string) => ({
      [name]: () => bench.withCpuTime(() => run(bench.server.port, scriptOf(bench, name))),
      [bareOf(name)]: () => bench.withCpuTime(() => run(barePort, bareScriptOf(name)), bench.bareHttp),
    })
    const found: Record<string, Slice[]> = await alternate(
      bench.rounds,
      Object.assign({}, ...names.map(slicesOf)),
    )
    return {
      rows: Object.entries(found).map(([name, slices]) => rowOf(name, slices)),
      findings: findingsOf(found),
    }
  },
}

/** Answers each request with the bytes that ours answers, after as little work as finds the same messages. */
async function bareServer(bench: Bench): Promise<number> {
  const searches = await BareSearches.of(bench, readers)
  const works = new Map<string, BareWork>()
  for (const name of Object.keys(kinds)) {
    for (let n = 0; n < requestsOfEach; n++) {
      works.set(barePath(name, n), {
        statements: searches.statements(readerOf(n), kinds[name]!(n, bench), page),
        answer: answerOf(await bench.ask(requestFor(bench, name, n))),
      })
    }
  }
  await bench.bareHttp.do('workWhenAsked', { url: bench.databaseUrl, works })
  return bench.bareHttp.do('listen', null)
}

function barePath(name: string, n: number) {
  return `/${encodeURIComponent(name)}/${n}`
}

function bareScriptOf(name: string): string[] {
  return Array.from({ length: requestsOfEach }, (_, n) => rawRequest('GET', barePath(name, n)))
}

function bareOf(name: string) {
  return `  bare node:http and SQL, ${name}`
}

function readerOf(n: number) {
  return readers[n % readers.length]!
}

/**
 * Each kind to its own bare figure, so that all count alike, however long they take. The worst one is judged by processor
 * time: on a busy machine, some kind has always waited.
 */
function findingsOf(found: Record<string, Slice[]>): Finding[] {
  const ratios = Object.keys(kinds).map((name) => {
    const [real, bare] = [found[name]!, found[bareOf(name)]!]
    return {
      name,
      time: ratioOf('p50', real, bare).value,
      processor: processorTime(real) / processorTime(bare),
    }
  })
  const worst = ratios.reduce((a, b) => (b.processor > a.processor ? b : a))
  return [
    {
      what: 'time of the median kind, of bare node:http and SQL',
      value: median(ratios.map(({ time }) => time)),
      unit: '×',
      budget: budgets.searchOfBare,
    },
    {
      what: `processor time of the worst kind (${worst.name}), of the same`,
      value: worst.processor,
      unit: '×',
      budget: budgets.searchWorstOfBare,
    },
  ]
}

function processorTime(slices: Slice[]) {
  const { server = Number.NaN, postgres = Number.NaN } = costOf(slices)
  return server + postgres
}

function scriptOf(bench: Bench, name: string): string[] {
  return Array.from({ length: requestsOfEach }, (_, n) => requestFor(bench, name, n))
}

function requestFor(bench: Bench, name: string, n: number) {
  const narrow = JSON.stringify(kinds[name]!(n, bench))
  const wanted = new URLSearchParams({ anchor: 'newest', num_before: String(page), num_after: '0', narrow })
  const headers = {
    authorization: bench.organization.authorization(readerOf(n)),
    'accept-encoding': 'gzip',
  }
  return rawRequest('GET', `/api/v1/messages?${wanted}`, headers)
}

/** Throws unless the search finds messages. */
async function check(bench: Bench, name: string) {
  const { body } = await bench.ask(requestFor(bench, name, 0).replace('accept-encoding: gzip\r\n', ''))
  const { messages } = JSON.parse(body.toString())
  if (messages.length === 0) throw new Error(`${name}: nothing was found`)
  if (!messages[0].match_content.includes('highlight')) throw new Error('nothing is highlighted')
}

function search(operand: string): Term {
  return { operator: 'search', operand }
}

function channel(n: number, { organization }: Bench): Term {
  return { operator: 'channel', operand: organization.small + 2 + ((n * 7) % (size.channels - 2)) }
}

function largest({ organization }: Bench): Term {
  return { operator: 'channel', operand: organization.large }
}

function topic(n: number): Term {
  return { operator: 'topic', operand: topicOf(n * 10) }
}

function sender(n: number, { organization }: Bench): Term {
  return { operator: 'sender', operand: organization.firstUser + ((n * 37) % size.users) }
}
