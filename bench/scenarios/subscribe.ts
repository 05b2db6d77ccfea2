import pg from 'pg'
import type { Bench, Scenario } from '../bench.ts'
import { budgets } from '../budgets.ts'
import { median } from '../measure.ts'
import { rawRequest } from '../raw-client.ts'
import { size } from '../seed.ts'

const rounds = 5
const path = '/api/v1/users/me/subscriptions'

/** One request that subscribes everybody to a channel, and one that takes them out again. */
export const subscribe: Scenario = {
  name: 'subscribe',
  title: `${size.users.toLocaleString('en')} users to a channel and out of it, in one request each`,

  async run(bench) {
    const client = new pg.Client({ connectionString: bench.databaseUrl })
    await client.connect()
    try {
      return await measure(bench, client)
    } finally {
      await client.end()
    }
  },
}

async function measure(bench: Bench, client: pg.Client) {
  const { rows } = await client.query("SELECT id FROM account WHERE delivery_email LIKE 'user%' ORDER BY id")
  const principals = rows.map((row) => row.id)
  const headers = { authorization: bench.organization.authorization(0) }
  const seconds = { in: [] as number[], out: [] as number[] }
  let told: Told | undefined
  for (let round = 0; round <= rounds; round++) {
    // The first round warms up.
    const name = `project ${500 + round}`
    const add = { subscriptions: JSON.stringify([{ name }]), principals: JSON.stringify(principals) }
    const before = await lastEvent(client)
    const tookIn = await timeOf(bench, rawRequest('POST', path, headers, add))
    told = await toldSince(client, before)
    const remove = { subscriptions: JSON.stringify([name]), principals: JSON.stringify(principals) }
    const tookOut = await timeOf(bench, rawRequest('DELETE', path, headers, remove))
    if (round === 0) continue
    seconds.in.push(tookIn)
    seconds.out.push(tookOut)
  }
  return {
    rows: [
      { what: 'subscribe', p50: median(seconds.in) * 1000, rate: 1 / median(seconds.in) },
      { what: 'unsubscribe', p50: median(seconds.out) * 1000, rate: 1 / median(seconds.out) },
    ],
    findings: [
      { what: 'subscribe', value: median(seconds.in), unit: 's', budget: budgets.subscribeAll },
      { what: 'unsubscribe', value: median(seconds.out), unit: 's', budget: budgets.subscribeAll },
      { what: 'events of it', value: told!.events, unit: '', budget: budgets.subscribeEvents },
      { what: 'of them peer_add', value: told!.peers, unit: '', budget: budgets.subscribePeers },
      { what: 'of the log for each user', value: told!.bytes / size.users, unit: 'bytes' },
    ],
  }
}

async function timeOf(bench: Bench, request: string) {
  const start = performance.now()
  await bench.ask(request)
  return (performance.now() - start) / 1000
}

type Told = { events: number; peers: number; bytes: number }

async function lastEvent(client: pg.Client): Promise<number> {
  const { rows } = await client.query('SELECT coalesce(max(id), 0) AS id FROM event_log')
  return Number(rows[0].id)
}

async function toldSince(client: pg.Client, id: number): Promise<Told> {
  const { rows } = await client.query(
    `SELECT count(*) FILTER (WHERE event IS NOT NULL) AS events,
       count(*) FILTER (WHERE event ->> 'op' = 'peer_add') AS peers,
       sum(octet_length(event::text) + coalesce(octet_length(rows::text), 0)) AS bytes
     FROM event_log WHERE id > $1`,
    [id],
  )
  const { events, peers, bytes } = rows[0]
  return { events: Number(events), peers: Number(peers), bytes: Number(bytes) }
}
