import type { Scenario } from '../bench.ts'
import { budgets } from '../budgets.ts'
import { alternate, ratioOf, rowOf } from '../measure.ts'
import { answerOf, type RawResponse, rawRequest } from '../raw-client.ts'
import { size } from '../seed.ts'

const connections = 16
const page = 100

/** A page of a channel's history, and the newest of everything that a reader receives. */
export const fetch: Scenario = {
  name: 'fetch',
  title: `GET /messages, ${page} of a channel, ${connections} connections`,

  async run(bench) {
    const { large } = bench.organization
    const narrow = JSON.stringify([{ operator: 'channel', operand: large }])
    const requestFor = (user: number, anchor: string, more: Record<string, string> = { narrow }) => {
      const wanted = new URLSearchParams({ anchor, num_before: String(page), num_after: '0', ...more })
      const headers = { authorization: bench.organization.authorization(user) }
      return rawRequest('GET', `/api/v1/messages?${wanted}`, headers)
    }
    const sample = await bench.ask(requestFor(1, 'newest'))
    const { messages } = JSON.parse(sample.body.toString())
    if (messages.length !== page) throw new Error(`${messages.length} messages were answered`)
    const port = await bench.bareHttp.do('listen', null)
    // Every other page is one that a user scrolled back to.
    const scripts = Array.from({ length: connections }, (_, user) =>
      Array.from({ length: 50 }, (_, i) =>
        requestFor(user, i % 2 === 0 ? 'newest' : someMessage(user * 50 + i)),
      ),
    )
    const everything = Array.from({ length: connections }, (_, user) => [requestFor(user, 'newest', {})])
    const run = (port: number, script = scripts, seconds = bench.slice) =>
      bench.load.do('requests', { port, seconds, scripts: script })
    const sampleOfAll = await bench.ask(everything[1]![0]!)
    const bareOf = async (answer: RawResponse, script: string[][]) => {
      await bench.bareHttp.do('answerWith', answerOf(answer))
      return bench.withCpuTime(() => run(port, script), bench.bareHttp)
    }
    await run(bench.server.port, [...scripts, ...everything], bench.warmUp)
    const found = await alternate(bench.rounds, {
      real: () => bench.withCpuTime(() => run(bench.server.port)),
      everything: () => bench.withCpuTime(() => run(bench.server.port, everything)),
      bare: () => bareOf(sample, scripts),
      bareAll: () => bareOf(sampleOfAll, everything),
    })
    const [kilobytes, kilobytesOfAll] = [sample, sampleOfAll].map(({ body }) =>
      Math.round(body.length / 1000),
    )
    return {
      rows: [
        rowOf('16 connections', found.real),
        rowOf('16 connections, the newest of all channels', found.everything),
        rowOf(`  bare node:http, ${kilobytes} KB`, found.bare),
        rowOf(`  bare node:http, ${kilobytesOfAll} KB`, found.bareAll),
      ],
      findings: [
        {
          what: 'rate, of bare node:http',
          ...ratioOf('rate', found.real, found.bare),
          budget: budgets.fetchOfBare,
        },
        {
          what: 'rate for all channels, of bare node:http',
          ...ratioOf('rate', found.everything, found.bareAll),
          budget: budgets.fetchAllOfBare,
        },
      ],
    }
  },
}

function someMessage(n: number) {
  return String(Math.floor(size.messages * (0.1 + 0.9 * ((n * 0.618) % 1))))
}
