import type { Scenario } from '../bench.ts'
import { budgets } from '../budgets.ts'
import { alternate, ratioOf, rowOf } from '../measure.ts'
import { answerOf, type RawResponse, rawRequest } from '../raw-client.ts'
import { size } from '../seed.ts'

/** Different people, so that caches must help others too. */
const people = 40

/** Requests that scripts repeat often. */
export const users: Scenario = {
  name: 'users',
  title: `GET /users, ${size.users.toLocaleString('en')} of them`,

  async run(bench) {
    const scriptOf = (encoding: string) =>
      Array.from({ length: people }, (_, i) =>
        rawRequest('GET', '/api/v1/users', {
          authorization: bench.organization.authorization(100 + i),
          'accept-encoding': encoding,
        }),
      )
    const [packed, plain] = [scriptOf('gzip'), scriptOf('identity')]
    const plainSample = await bench.ask(plain[0]!)
    const { members } = JSON.parse(plainSample.body.toString())
    if (members.length < size.users) throw new Error(`${members.length} users were answered`)
    const sample = await bench.ask(packed[0]!)
    const port = await bench.bareHttp.do('listen', null)
    const run = (script: string[], port = bench.server.port, seconds = bench.slice) =>
      bench.load.do('requests', { port, seconds, scripts: [script] })
    const bareOf = async (answer: RawResponse, script: string[]) => {
      await bench.bareHttp.do('answerWith', answerOf(answer))
      return bench.withCpuTime(() => run(script, port), bench.bareHttp)
    }
    await run(packed, bench.server.port, bench.warmUp)
    const found = await alternate(bench.rounds, {
      packed: () => bench.withCpuTime(() => run(packed)),
      plain: () => bench.withCpuTime(() => run(plain)),
      bare: () => bareOf(sample, packed),
      barePlain: () => bareOf(plainSample, plain),
    })
    const [kilobytes, kilobytesPlain] = [sample, plainSample].map(({ body }) =>
      Math.round(body.length / 1000),
    )
    return {
      rows: [
        rowOf('1 connection, gzip', found.packed),
        rowOf('1 connection', found.plain),
        rowOf(`  bare node:http, ${kilobytes} KB compressed`, found.bare),
        rowOf(`  bare node:http, ${kilobytesPlain} KB`, found.barePlain),
      ],
      findings: [
        {
          what: 'p50 with gzip, of bare node:http',
          ...ratioOf('p50', found.packed, found.bare),
          budget: budgets.usersOfBare,
        },
        {
          what: 'p50 without gzip, of bare node:http',
          ...ratioOf('p50', found.plain, found.barePlain),
          budget: budgets.usersPlainOfBare,
        },
      ],
    }
  },
}
