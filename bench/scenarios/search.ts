import type { Bench, Scenario } from '../bench.ts'
import { budgets, type Finding } from '../budgets.ts'
import { pairOf, topicOf, wordOf } from '../history.ts'
import { alternate, median, percentile, rowOf, type Slice } from '../measure.ts'
import { rawRequest } from '../raw-client.ts'
import { historySize as size } from '../seed.ts'

const page = 50
const requestsOfEach = 60

type Term = { operator: string; operand: string | number }

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
    const scripts = Object.fromEntries(names.map((name) => [name, scriptOf(bench, name)]))
    const run = (script: string[], seconds: number) =>
      bench.load.do('requests', { port: bench.server.port, seconds, scripts: [script] })
    await run(Object.values(scripts).flat(), bench.warmUp)
    const slices: Record<string, Slice[]> = await alternate(bench.rounds, {
      ...Object.fromEntries(
        names.map((name) => [name, () => bench.withCpuTime(() => run(scripts[name]!, bench.slice))]),
      ),
      bare: () => bench.withCpuTime(() => bareQueries(bench), bench.load),
    })
    const { bare, ...found } = slices
    return {
      rows: [
        ...names.map((name) => rowOf(name, found[name]!)),
        rowOf(`  a bare query for ${page} messages by id`, bare!),
      ],
      findings: findingsOf(Object.values(found), bare!),
    }
  },
}

/** The least that a page of search results costs, once it is known which messages are in it: reading them. */
function bareQueries({ load, databaseUrl: url, slice: seconds, organization: { realmId } }: Bench) {
  const text = `SELECT id, sender_id, recipient_id, topic, content, rendered_content, sent_at FROM message
    WHERE realm_id = $1 AND id = ANY($2::bigint[])`
  const values = Array.from({ length: requestsOfEach }, (_, n) => [realmId, someIds(n)])
  return load.do('queries', { url, seconds, text, values })
}

/** A page of ids from all over the history, as those of a search are. */
function someIds(n: number): number[] {
  return Array.from({ length: page }, (_, k) => 1 + ((n * 7919 + k * 104_729) % size.messages))
}

/** Of each kind as many, however many fitted into its time. */
function findingsOf(kinds: Slice[][], bare: Slice[]) {
  const latencies = kinds.map((slices) => slices.flatMap((slice) => slice.latencies))
  const count = Math.min(...latencies.map((some) => some.length))
  const mixed = latencies.flatMap((some) => spread(some, count))
  const least = median(bare.flatMap((slice) => slice.latencies))
  const finding = (percent: number, budget: NonNullable<Finding['budget']>) => ({
    what: `p${percent} of all kinds, of p50 of the bare query`,
    value: percentile(mixed, percent) / least,
    unit: '×',
    budget,
  })
  return [finding(50, budgets.searchOfBare), finding(99, budgets.searchWorstOfBare)]
}

function spread<T>(items: T[], count: number): T[] {
  return Array.from({ length: count }, (_, i) => items[Math.floor((i * items.length) / count)]!)
}

function scriptOf(bench: Bench, name: string): string[] {
  return Array.from({ length: requestsOfEach }, (_, n) => requestFor(bench, name, n))
}

function requestFor(bench: Bench, name: string, n: number) {
  const narrow = JSON.stringify(kinds[name]!(n, bench))
  const wanted = new URLSearchParams({ anchor: 'newest', num_before: String(page), num_after: '0', narrow })
  const headers = {
    authorization: bench.organization.authorization(readers[n % readers.length]!),
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
