import type { Bench, Result, Scenario } from '../bench.ts'
import { budgets } from '../budgets.ts'
import type { CrowdPlan, Round } from '../crowd.ts'
import { alternate, type CpuTime, costOf, median, percentiles, type Row, ratio } from '../measure.ts'
import { answerOf, rawRequest } from '../raw-client.ts'
import { texts } from '../texts.ts'

/** How many queues wait, and how many sends make up one slice. */
const crowds = [
  { queues: 1, sends: 20, budget: budgets.deliverToOne },
  { queues: 100, sends: 10, budget: budgets.deliverToHundred },
  { queues: 1_000, sends: 5, budget: budgets.deliverToThousand },
]

type Slice = { rounds: Round[]; cpu?: CpuTime }

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
  { queues, sends, budget }: (typeof crowds)[number],
): Promise<Result> {
  const plan: CrowdPlan = {
    port: bench.server.port,
    queues: await makeQueues(bench, queues),
    sends: requestsOf(bench),
  }
  await teachBareServer(bench, plan)
  const crowd = await bench.load.do('gather', plan)
  const bareCrowd = await bench.load.do('gather', { ...plan, port: barePort })
  const roundsOf = async (which: number) => ({
    rounds: await bench.load.do('crowdRounds', { crowd: which, rounds: sends }),
  })
  const found = await alternate(bench.rounds, {
    real: () => bench.withCpuTime(() => roundsOf(crowd)),
    bare: () => bench.withCpuTime(() => roundsOf(bareCrowd), bench.bareHttp),
  })
  for (const gathered of [crowd, bareCrowd]) await bench.load.do('disperse', { crowd: gathered })
  const name = `${queues.toLocaleString('en')} ${queues === 1 ? 'queue' : 'queues'}`
  return {
    rows: [
      row(`${name}, first`, found.real, 'first'),
      row(`${name}, last`, found.real, 'last'),
      row(`${name}, sender answered`, found.real, 'answered'),
      row(`  bare node:http, ${name}, last`, found.bare, 'last'),
    ],
    findings: [
      {
        what: `${name}, last, of bare node:http`,
        ...ratio(found.real.map(medianOfLast), found.bare.map(medianOfLast)),
        budget,
      },
    ],
  }
}

function medianOfLast({ rounds }: Slice) {
  return median(rounds.map(({ last }) => last))
}

/** What a send costs, with all polls that it answers, and three small requests before it (`Crowd.settle`). */
function row(what: string, slices: Slice[], which: keyof Round): Row {
  const latencies = slices.flatMap(({ rounds }) => rounds.map((round) => round[which]))
  const cost = costOf(slices.map(({ rounds, cpu }) => ({ count: rounds.length, ...(cpu && { cpu }) })))
  return { what, ...percentiles(latencies), ...cost }
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
  await bench.bareHttp.do('answerWith', answerOf(sent))
  await bench.bareHttp.do('answerPollsWith', answerOf(polled))
}
