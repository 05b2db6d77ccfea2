import type { Bench, Scenario } from '../bench.ts'
import { budgets, type Finding } from '../budgets.ts'
import { alternate, ratioOf, rowOf, type Slice } from '../measure.ts'
import { answerOf, type RawResponse, rawRequest } from '../raw-client.ts'
import { size } from '../seed.ts'

const connections = 16
const page = 100

/** The requests of each connection's user, and the figure that is judged. */
type Asked = { scripts: string[][]; judged?: Pick<Finding, 'what' | 'budget'> }

/** How many pages from the newest on count as scrolling back. */
const pagesBack = 9

/**
 * A page of a channel's history, one to which readers scroll back, the newest of everything that a reader receives, and the
 * newest of a channel, compressed.
 */
export const fetch: Scenario = {
  name: 'fetch',
  title: `GET /messages, ${page} of a channel, ${connections} connections`,

  async run(bench) {
    const asked = Object.entries(await askedOf(bench))
    const run = (port: number, scripts: string[][], seconds = bench.slice) =>
      bench.load.do('requests', { port, seconds, scripts })
    const barePort = await bench.bareHttp.do('listen', null)
    const all = asked.flatMap(([, { scripts }]) => scripts)
    await run(bench.server.port, all, bench.warmUp)
    const samples = new Map<string, RawResponse>()
    for (const [name, { scripts }] of asked) samples.set(name, await bench.ask(scripts[1]![0]!))
    const { messages } = JSON.parse(samples.get(asked[0]![0])!.body.toString())
    if (messages.length !== page) throw new Error(`${messages.length} messages were answered`)
    const slicesOf = ([name, { scripts }]: [string, Asked]) => ({
      [name]: () => bench.withCpuTime(() => run(bench.server.port, scripts)),
      [bareOf(name)]: async () => {
        await bench.bareHttp.do('answerWith', answerOf(samples.get(name)!))
        return bench.withCpuTime(() => run(barePort, scripts), bench.bareHttp)
      },
    })
    const found: Record<string, Slice[]> = await alternate(
      bench.rounds,
      Object.assign({}, ...asked.map(slicesOf)),
    )
    const rowsOf = ([name]: [string, Asked]) => {
      const kilobytes = Math.round(samples.get(name)!.body.length / 1000)
      return [rowOf(name, found[name]!), rowOf(`  bare node:http, ${kilobytes} KB`, found[bareOf(name)]!)]
    }
    const findingsOf = ([name, { judged }]: [string, Asked]) =>
      judged ? [{ ...judged, ...ratioOf('rate', found[name]!, found[bareOf(name)]!) }] : []
    return { rows: asked.flatMap(rowsOf), findings: asked.flatMap(findingsOf) }
  },
}

async function askedOf(bench: Bench): Promise<Record<string, Asked>> {
  const narrow = JSON.stringify([{ operator: 'channel', operand: bench.organization.large }])
  const requestFor = (user: number, anchor: string, more: Record<string, string>, headers = {}) => {
    const wanted = new URLSearchParams({ anchor, num_before: String(page), num_after: '0', ...more })
    const authorization = bench.organization.authorization(user)
    return rawRequest('GET', `/api/v1/messages?${wanted}`, { authorization, ...headers })
  }
  /** The oldest messages of the newest pages, by which clients ask for the pages before them. */
  const anchors = ['newest']
  while (anchors.length < pagesBack) {
    const { body } = await bench.ask(requestFor(0, anchors.at(-1)!, { narrow }))
    anchors.push(String(JSON.parse(body.toString()).messages[0].id))
  }
  const forEach = (scriptOf: (user: number) => string[]) =>
    Array.from({ length: connections }, (_, user) => scriptOf(user))
  return {
    '16 connections': {
      // Every other page is one that a user scrolled back to.
      scripts: forEach((user) =>
        Array.from({ length: 50 }, (_, i) =>
          requestFor(user, i % 2 === 0 ? 'newest' : someMessage(user * 50 + i), { narrow }),
        ),
      ),
      judged: { what: 'rate, of bare node:http', budget: budgets.fetchOfBare },
    },
    '16 connections, scrolling back in the channel': {
      scripts: forEach((user) =>
        anchors.map((anchor) => requestFor(user, anchor, { narrow, include_anchor: 'false' })),
      ),
    },
    '16 connections, the newest of all channels': {
      scripts: forEach((user) => [requestFor(user, 'newest', {})]),
      judged: { what: 'rate for all channels, of bare node:http', budget: budgets.fetchAllOfBare },
    },
    // As browsers and most libraries ask.
    '16 connections, the newest of the channel, compressed': {
      scripts: forEach((user) => [requestFor(user, 'newest', { narrow }, { 'accept-encoding': 'gzip' })]),
    },
  }
}

function bareOf(name: string) {
  return `bare ${name}`
}

function someMessage(n: number) {
  return String(Math.floor(size.messages * (0.1 + 0.9 * ((n * 0.618) % 1))))
}
