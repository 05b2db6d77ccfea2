import type { Bench, Scenario } from '../bench.ts'
import { budgets } from '../budgets.ts'
import { alternate, ratioOf, rowOf, type Slice } from '../measure.ts'
import { answerOf, rawRequest } from '../raw-client.ts'
import { parkQueues } from '../waiting.ts'

/** Fewer than the server takes on at a time: none is refused. */
const clients = 300

/**
 * Clients that come back in a moment, each on a new connection, as after a restart or from a node that has ended: the server
 * knows none of their queues, and nothing has happened meanwhile.
 */
export const returning: Scenario = {
  name: 'return',
  title: `GET /events of ${clients} clients that return at the same time`,

  async run(bench) {
    const port = await bench.bareHttp.do('listen', null)
    const sample = await bench.ask((await pollsOfUnknownQueues(bench))[0]!)
    await bench.bareHttp.do('answerWith', answerOf(sample))
    const once = (to: number, polls: string[]) =>
      bench.load.do('once', { port: to, scripts: polls.map((poll) => [poll]) })
    const real = async (): Promise<Slice> => {
      const polls = await pollsOfUnknownQueues(bench)
      return bench.withCpuTime(() => once(bench.server.port, polls))
    }
    const request = rawRequest('GET', '/', { authorization: bench.organization.authorization(0) })
    const bare = () => bench.withCpuTime(() => once(port, Array(clients).fill(request)), bench.bareHttp)
    const found = await alternate(2 * bench.rounds, { real, bare })
    return {
      rows: [
        rowOf(`${clients} clients`, found.real),
        rowOf(`  bare node:http, ${clients} clients`, found.bare),
      ],
      findings: [
        {
          what: 'rate, of bare node:http',
          ...ratioOf('rate', found.real, found.bare),
          budget: budgets.returnOfBare,
        },
      ],
    }
  },
}

/** Returns polls of queues that exist only in the database. */
async function pollsOfUnknownQueues(bench: Bench): Promise<string[]> {
  const queues = await parkQueues(bench, clients)
  return queues.map(({ authorization, queueId }) => {
    const wanted = new URLSearchParams({ queue_id: queueId, last_event_id: '-1', dont_block: 'true' })
    return rawRequest('GET', `/api/v1/events?${wanted}`, { authorization })
  })
}
