import type { Bench, Scenario } from '../bench.ts'
import { budgets } from '../budgets.ts'
import { costOf, rowOf, type Slice } from '../measure.ts'
import { answerOf, rawRequest } from '../raw-client.ts'
import { lastNumber } from '../reports.ts'
import { size } from '../seed.ts'

const secondsBetween = 60
const perSecond = size.users / secondsBetween
const everybody = size.users.toLocaleString('en')

/** Every user's client reports presence once a minute, and fetches that of others. */
export const presence: Scenario = {
  name: 'presence',
  title: `POST /users/me/presence, ${everybody} people once a minute`,

  async run(bench) {
    const changes = {
      status: 'active',
      new_user_input: 'true',
      slim_presence: 'true',
      history_limit_days: '14',
    }
    const since = reports(bench, `/api/v1/users/me/presence?last_update_id=${lastNumber}`, changes)
    const pings = reports(bench, '/api/v1/users/me/presence', { status: 'active', ping_only: 'true' })
    const old = reports(bench, '/api/v1/users/me/presence', { status: 'active', new_user_input: 'true' })
    const question = reports(
      bench,
      `/api/v1/users/me/presence?last_update_id=${lastNumber}`,
      changes,
      'identity',
    )[0]!
    const send = (reports: string[], seconds: number, port = bench.server.port) =>
      bench.load.do('sendReports', { port, seconds, perSecond, reports, question })
    // Once round: then everybody's answer holds what has happened within a minute.
    await send(since, secondsBetween)
    const long = Math.max(10, bench.rounds * 2)
    const bare = await bareServer(bench, question)
    const found = {
      since: await bench.withCpuTime(() => send(since, long)),
      pings: await bench.withCpuTime(() => send(pings, long / 2)),
      bare: await bench.withCpuTime(() => send(pings, long / 2, bare), bench.bareHttp),
      old: await bench.withCpuTime(() => send(old, long / 2)),
    }
    return {
      rows: [
        rowOf('what is new since the last report, gzip', [found.since]),
        rowOf('nothing is asked', [found.pings]),
        rowOf('  bare node:http', [found.bare]),
        rowOf('all there is in the form of older clients, gzip', [found.old]),
      ],
      findings: [
        {
          what: 'processor time with what is new, of bare node:http',
          ...processorRatio(found.since, found.bare),
          budget: budgets.presenceOfBare,
        },
        {
          what: 'processor time, nothing asked, of bare node:http',
          ...processorRatio(found.pings, found.bare),
          budget: budgets.presencePingOfBare,
        },
        {
          what: 'processor time in the older form, of bare node:http',
          ...processorRatio(found.old, found.bare),
          budget: budgets.presenceOldOfBare,
        },
      ],
    }
  },
}

/** The minimum cost of requests at this pace; returns its port. */
async function bareServer(bench: Bench, question: string): Promise<number> {
  const sample = await bench.ask(question.replace(lastNumber, String(Number.MAX_SAFE_INTEGER)))
  await bench.bareHttp.do('answerWith', answerOf(sample))
  return bench.bareHttp.do('listen', null)
}

function reports(bench: Bench, path: string, form: Record<string, string>, encoding = 'gzip'): string[] {
  return Array.from({ length: size.users }, (_, user) => {
    const headers = { authorization: bench.organization.authorization(user), 'accept-encoding': encoding }
    return rawRequest('POST', path, headers, form)
  })
}

/** Returns the ratio of the processor time for a report to the least that Node takes for one. */
function processorRatio(real: Slice, bare: Slice) {
  const [ours = Number.NaN, least = Number.NaN] = [real, bare].map((slice) => costOf([slice]).server)
  return { value: ours / least, unit: '×' }
}
