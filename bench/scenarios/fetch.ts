import type { Scenario } from '../bench.ts'
import { budgets } from '../budgets.ts'
import { alternate, median, medianRatio, rateOf, rowOf } from '../measure.ts'
import { headersOf, rawRequest } from '../raw-client.ts'
import { size } from '../seed.ts'

const connections = 16
const page = 100

/** A page of a channel's history. */
export const fetch: Scenario = {
  name: 'fetch',
  title: `GET /messages, ${page} of a channel, ${connections} connections`,

  async run(bench) {
    const { large } = bench.organization
    const narrow = JSON.stringify([{ operator: 'channel', operand: large }])
    const requestFor = (user: number, anchor: string) => {
      const wanted = new URLSearchParams({ anchor, num_before: String(page), num_after: '0', narrow })
      const headers = { authorization: bench.organization.authorization(user) }
      return rawRequest('GET', `/api/v1/messages?${wanted}`, headers)
    }
    const sample = await bench.ask(requestFor(1, 'newest'))
    const { messages } = JSON.parse(sample.body.toString())
    if (messages.length !== page) throw new Error(`${messages.length} messages were answered`)
    const port = await bench.bareHttp.do('listen', null)
    await bench.bareHttp.do('answerWith', { body: sample.body, headers: headersOf(sample) })
    // Every other page is one that a user scrolled back to.
    const scripts = Array.from({ length: connections }, (_, user) =>
      Array.from({ length: 50 }, (_, i) =>
        requestFor(user, i % 2 === 0 ? 'newest' : someMessage(user * 50 + i)),
      ),
    )
    const run = (port: number, seconds = bench.slice) => bench.load.do('requests', { port, seconds, scripts })
    await run(bench.server.port, bench.warmUp)
    const found = await alternate(bench.rounds, {
      real: () => bench.withCpuTime(() => run(bench.server.port)),
      bare: () => run(port),
    })
    const kilobytes = Math.round(sample.body.length / 1000)
    return {
      rows: [rowOf('16 connections', found.real), rowOf(`  bare node:http, ${kilobytes} KB`, found.bare)],
      findings: [
        { what: 'rate', value: median(found.real.map(rateOf)), unit: '/s', budget: budgets.fetchRate },
        {
          what: 'of bare node:http',
          value: medianRatio(found.real.map(rateOf), found.bare.map(rateOf)),
          unit: '×',
        },
      ],
    }
  },
}

function someMessage(n: number) {
  return String(Math.floor(size.messages * (0.1 + 0.9 * ((n * 0.618) % 1))))
}
