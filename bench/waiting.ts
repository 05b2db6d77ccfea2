import pg from 'pg'
import type { Bench } from './bench.ts'
import type { Slice } from './measure.ts'
import { as, inTurn, type Operation, rounds, sendTo } from './operations.ts'
import { rawRequest } from './raw-client.ts'
import { texts } from './texts.ts'

type WaitingQueue = { authorization: string; queueId: string }

/** Makes a queue for the messages of each of the users after the first one. */
export async function queuesOf(bench: Bench, count: number): Promise<WaitingQueue[]> {
  const queues: WaitingQueue[] = []
  for (let user = 1; user <= count; user++) {
    const headers = as(bench, user)
    const wanted = new URLSearchParams({ dont_block: 'true', event_types: '["message"]' })
    const { body } = await bench.ask(rawRequest('GET', `/api/v1/events?${wanted}`, headers))
    queues.push({ authorization: headers.authorization!, queueId: JSON.parse(body.toString()).queue_id })
  }
  return queues
}

/** Makes a queue for the messages of each user, by inserting rows that are like the row of one registered queue. */
export async function parkQueues(bench: Bench, count: number): Promise<WaitingQueue[]> {
  const [first] = await queuesOf(bench, 1)
  const { firstUser } = bench.organization
  const client = new pg.Client({ connectionString: bench.databaseUrl })
  await client.connect()
  try {
    const { rows } = await client.query<{ id: string; user: number }>(
      `INSERT INTO event_queue (realm_id, id, user_id, client, options, epoch, started_at_event, acknowledged, reached, created_at, last_polled_at)
       SELECT realm_id, gen_random_uuid(), user_id + n, client, options, epoch, started_at_event, acknowledged, reached, created_at, last_polled_at
       FROM event_queue, generate_series(1, $2::integer - 1) AS n WHERE id = $1 RETURNING id, user_id AS user`,
      [first!.queueId, count],
    )
    const others = rows.map(({ id, user }) => ({
      authorization: bench.organization.authorization(user - firstUser),
      queueId: id,
    }))
    return [first!, ...others]
  } finally {
    await client.end()
  }
}

/** Does something while clients wait for the events of these queues. */
export async function whileWaiting<T>(
  bench: Bench,
  queues: WaitingQueue[],
  work: (crowd: number) => Promise<T>,
): Promise<T> {
  const sends = texts.map((_, i) => sendTo(as(bench, 0), bench.organization.large, i))
  const crowd = await bench.load.do('gather', { port: bench.server.port, how: 'polls', queues, sends })
  try {
    return await work(crowd)
  } finally {
    await bench.load.do('disperse', { crowd })
  }
}

/** Sends to the large channel, all of whose waiting subscribers must hear it; a slice is five sends. */
export function sendToWaiting(bench: Bench, crowd: number): Promise<Slice[]> {
  return inTurn(rounds, () =>
    bench.withCpuTime(async () => {
      const sent = await bench.load.do('crowdRounds', { crowd, rounds: 5 })
      const latencies = sent.map(({ last }) => last)
      return { count: sent.length, seconds: latencies.reduce((sum, one) => sum + one, 0) / 1000, latencies }
    }),
  )
}

/** Sends to all users while a tenth of them wait. */
export const sendToTenth: Operation = {
  what: 'send to a tenth of all users, who wait',
  reach: 'all',
  async measure({ bench, size }) {
    const queues = await queuesOf(bench, size.users / 10)
    return whileWaiting(bench, queues, (crowd) => sendToWaiting(bench, crowd))
  },
}
