import type { Bench, Result, Scenario } from '../bench.ts'
import { budgets } from '../budgets.ts'
import type { CrowdPlan, Round } from '../crowd.ts'
import { alternate, median, percentile, percentiles, type Row } from '../measure.ts'
import { headersOf, rawRequest } from '../raw-client.ts'
import { texts } from '../texts.ts'

/** How many queues wait, and how many sends make up one slice. */
const crowds = [
  { queues: 1, sends: 20 },
  { queues: 100, sends: 10 },
  { queues: 1_000, sends: 5 },
]

/** From a send until the waiting clients have the event: the first of them, and the last. */
export const deliver: Scenario = {
  name: 'deliver',
  title: 'From POST /messages to GET /events of those who wait for the channel',

  async run(bench) {
    const barePort = await bench.bareHttp.do('listen', null)
    const { load, server, warmUp: seconds } = bench
    await load.do('requests', { port: server.port, seconds, scripts: [requestsOf(bench)] })
    const results: Result[] = []
    for (const crowd of crowds) results.push(await measure(bench, barePort, crowd))
    return {
      rows: results.flatMap(({ rows }) => rows),
      findings: results.flatMap(({ findings }) => findings),
    }
  },
}

async function measure(
  bench: Bench,
  barePort: number,
  { queues, sends }: (typeof crowds)[number],
): Promise<Result> {
  const plan: CrowdPlan = {
    port: bench.server.port,
    queues: await makeQueues(bench, queues),
    sends: requestsOf(bench),
  }
  await teachBareServer(bench, plan)
  const crowd = await bench.load.do('gather', plan)
  const bareCrowd = await bench.load.do('gather', { ...plan, port: barePort })
  const found = await alternate(bench.rounds, {
    real: () => bench.load.do('crowdRounds', { crowd, rounds: sends }),
    bare: () => bench.load.do('crowdRounds', { crowd: bareCrowd, rounds: sends }),
  })
  for (const gathered of [crowd, bareCrowd]) await bench.load.do('disperse', { crowd: gathered })
  const name = `${queues.toLocaleString('en')} ${queues === 1 ? 'queue' : 'queues'}`
  const last = found.real.flat().map((round) => round.last)
  const bareLast = found.bare.flat().map((round) => round.last)
  return {
    rows: [
      row(`${name}, first`, found.real, 'first'),
      row(`${name}, last`, found.real, 'last'),
      row(`${name}, sender answered`, found.real, 'answered'),
      row('  bare node:http, last', found.bare, 'last'),
    ],
    findings: [
      {
        what: `${name}, p99 of the last`,
        value: percentile(last, 99),
        unit: 'ms',
        ...(queues === 1_000 && { budget: budgets.lastOfThousandQueues }),
      },
      { what: `${name}, last, of bare node:http`, value: median(last) / median(bareLast), unit: '×' },
    ],
  }
}

function row(what: string, slices: Round[][], which: keyof Round): Row {
  return { what, ...percentiles(slices.flat().map((round) => round[which])) }
}

/** One queue each for the first users after the sender; all are subscribed to the large channel. */
async function makeQueues(bench: Bench, count: number) {
  const queues = []
  for (let user = 1; user <= count; user++) {
    const authorization = bench.organization.authorization(user)
    const wanted = new URLSearchParams({
      dont_block: 'true',
      apply_markdown: 'true',
      event_types: '["message"]',
    })
    const { body } = await bench.ask(rawRequest('GET', `/api/v1/events?${wanted}`, { authorization }))
    queues.push({ authorization, queueId: JSON.parse(body.toString()).queue_id as string })
  }
  return queues
}

function requestsOf({ organization }: Bench) {
  const to = String(organization.large)
  const authorization = organization.authorization(0)
  return texts.map((content) =>
    rawRequest(
      'POST',
      '/api/v1/messages',
      { authorization },
      { type: 'channel', to, topic: 'news', content },
    ),
  )
}

/** Lets the bare server answer with the very bytes that a send and a poll get from ours. */
async function teachBareServer(bench: Bench, { queues, sends }: CrowdPlan) {
  const { authorization, queueId } = queues[0]!
  const sent = await bench.ask(sends[2]!)
  const path = `/api/v1/events?queue_id=${queueId}&last_event_id=-1`
  const polled = await bench.ask(rawRequest('GET', path, { authorization }))
  await bench.bareHttp.do('answerWith', { body: sent.body, headers: headersOf(sent) })
  await bench.bareHttp.do('answerPollsWith', { body: polled.body, headers: headersOf(polled) })
}
