import type { Scenario } from '../bench.ts'
import { budgets } from '../budgets.ts'
import { alternate, median, percentile, rowOf } from '../measure.ts'
import { rawRequest } from '../raw-client.ts'
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
    const { members } = JSON.parse((await bench.ask(plain[0]!)).body.toString())
    if (members.length < size.users) throw new Error(`${members.length} users were answered`)
    const run = (script: string[], seconds = bench.slice) =>
      bench.load.do('requests', { port: bench.server.port, seconds, scripts: [script] })
    await run(packed, bench.warmUp)
    const found = await alternate(bench.rounds, {
      packed: () => bench.withCpuTime(() => run(packed)),
      plain: () => bench.withCpuTime(() => run(plain)),
    })
    const latencies = [...found.packed, ...found.plain].flatMap((slice) => slice.latencies)
    return {
      rows: [rowOf('1 connection, gzip', found.packed), rowOf('1 connection', found.plain)],
      findings: [
        { what: 'p50 of both', value: median(latencies), unit: 'ms', budget: budgets.users },
        { what: 'p99 of both', value: percentile(latencies, 99), unit: 'ms' },
      ],
    }
  },
}
