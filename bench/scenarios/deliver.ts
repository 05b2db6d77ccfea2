import type { BareHttp } from '../bare/http.ts'
import type { Bench, Result, Scenario } from '../bench.ts'
import { type Budget, budgets } from '../budgets.ts'
import { type CrowdPlan, eventsPath, type Round } from '../crowd.ts'
import { alternate, type CpuTime, costOf, median, percentiles, type Row, ratio } from '../measure.ts'
import { answerOf, rawRequest } from '../raw-client.ts'
import { texts } from '../texts.ts'
import { Worker } from '../worker.ts'

type Plan = Pick<CrowdPlan, 'how'> & {
  queues: number
  /** How many make up one slice. */
  sends: number
  budget: Budget
  /** Of a bare server that inserts first. */
  storingBudget?: Budget
  /** Of the processor time of the bare server. */
  costBudget?: Budget
}

/** How many clients wait, and how. */
const crowds: Plan[] = [
  {
    how: 'polls',
    queues: 1,
    sends: 20,
    budget: budgets.deliverToOne,
    storingBudget: budgets.deliverToOneOfStoring,
  },
  { how: 'polls', queues: 100, sends: 10, budget: budgets.deliverToHundred },
  { how: 'polls', queues: 1_000, sends: 5, budget: budgets.deliverToThousand },
  {
    how: 'streams',
    queues: 1_000,
    sends: 10,
    budget: budgets.streamToThousand,
    costBudget: budgets.streamCostOfBare,
  },
]

type Slice = { rounds: Round[]; cpu?: CpuTime }

/** From a send until the waiting clients have the event: the first of them, and the last. */
export const deliver: Scenario = {
  name: 'deliver',
  title: 'From POST /messages to GET /events of those who wait for the channel',

  async run(bench) {
    const storing = new Worker<BareHttp>('bare/http.ts')
    try {
      await storing.do('insertWhatIsPosted', { url: bench.databaseUrl })
      return await measureAll(bench, await Promise.all([listening(bench.bareHttp), listening(storing)]))
    } finally {
      storing.stop()
    }
  },
}

type BareServer = { server: Worker<BareHttp>; port: number }

async function listening(server: Worker<BareHttp>): Promise<BareServer> {
  return { server, port: await server.do('listen', null) }
}

/** `bare`: one server that stores nothing, and one that answers when a row is durable, as ours does. */
async function measureAll(bench: Bench, bare: [BareServer, BareServer]): Promise<Result> {
  const { load, server, warmUp: seconds } = bench
  await load.do('requests', { port: server.port, seconds, scripts: [requestsOf(bench)] })
  const results: Result[] = []
  for (const crowd of crowds) results.push(await measure(bench, bare, crowd))
  return {
    rows: results.flatMap(({ rows }) => rows),
    findings: results.flatMap(({ findings }) => findings),
  }
}

async function measure(
  bench: Bench,
  bare: [BareServer, BareServer],
  { how, queues, sends, budget, storingBudget, costBudget }: Plan,
): Promise<Result> {
  const plan: CrowdPlan = {
    port: bench.server.port,
    how,
    queues: await makeQueues(bench, queues),
    sends: requestsOf(bench),
  }
  for (const { server } of bare) await teachBareServer(bench, server, plan)
  const crowdOf = (port: number) => bench.load.do('gather', { ...plan, port })
  const gathered = [
    await crowdOf(plan.port),
    await crowdOf(bare[0].port),
    await crowdOf(bare[1].port),
  ] as const
  const roundsOf = (which: number, server?: { pid: number }) =>
    bench.withCpuTime(
      async () => ({ rounds: await bench.load.do('crowdRounds', { crowd: which, rounds: sends }) }),
      server,
    )
  const found = await alternate(bench.rounds, {
    real: () => roundsOf(gathered[0]),
    bare: () => roundsOf(gathered[1], bare[0].server),
    storing: () => roundsOf(gathered[2], bare[1].server),
  })
  for (const crowd of gathered) await bench.load.do('disperse', { crowd })
  const what = how === 'streams' ? 'stream' : 'queue'
  const name = `${queues.toLocaleString('en')} ${what}${queues === 1 ? '' : 's'}`
  const ratioTo = (those: Slice[]) => ratio(found.real.map(medianOfLast), those.map(medianOfLast))
  return {
    rows: [
      row(`${name}, first`, found.real, 'first'),
      row(`${name}, last`, found.real, 'last'),
      row(`${name}, sender answered`, found.real, 'answered'),
      row(`  bare node:http, ${name}, last`, found.bare, 'last'),
      row(`  bare node:http that inserts first, ${name}, last`, found.storing, 'last'),
    ],
    findings: [
      { what: `${name}, last, of bare node:http`, ...ratioTo(found.bare), budget },
      {
        what: `${name}, last, of bare node:http that inserts first`,
        ...ratioTo(found.storing),
        ...(storingBudget && { budget: storingBudget }),
      },
      ...(costBudget
        ? [{ what: `${name}, processor time, of bare node:http`, ...costRatio(found), budget: costBudget }]
        : []),
    ],
  }
}

function medianOfLast({ rounds }: Slice) {
  return median(rounds.map(({ last }) => last))
}

/** All slices together, as the clock of processor time ticks a hundred times a second. */
function costRatio({ real, bare }: { real: Slice[]; bare: Slice[] }) {
  const [ours, theirs] = [real, bare].map((slices) => costOf(slices.map(counted)).server ?? Number.NaN)
  return { value: ours! / theirs!, unit: '×' }
}

function counted({ rounds, cpu }: Slice) {
  return { count: rounds.length, ...(cpu && { cpu }) }
}

/** Returns the cost of a send, with all polls that it answers and three small requests before it (`Crowd.settle`). */
function row(what: string, slices: Slice[], which: keyof Round): Row {
  const latencies = slices.flatMap(({ rounds }) => rounds.map((round) => round[which]))
  return { what, ...percentiles(latencies), ...costOf(slices.map(counted)) }
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

/** Lets a bare server answer with the very bytes that a send, a poll and a stream get from ours. */
async function teachBareServer(bench: Bench, bare: Worker<BareHttp>, { queues, sends }: CrowdPlan) {
  const { authorization, queueId } = queues[0]!
  const sent = await bench.ask(sends[2]!)
  const polled = await bench.ask(rawRequest('GET', eventsPath(queueId, -1), { authorization }))
  await bare.do('answerWith', answerOf(sent))
  await bare.do('answerPollsWith', answerOf(polled))
  const { events } = JSON.parse(polled.body.toString())
  const piece = `id: ${events[0].id}\ndata: ${JSON.stringify(events[0])}\n\n`
  await bare.do('streamWith', { headers: { 'content-type': 'text/event-stream' }, piece })
}
