import pg from 'pg'
import type { Bench, Scenario } from '../bench.ts'
import { budgets } from '../budgets.ts'
import { ratioOf, rowOf, type Slice } from '../measure.ts'
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
  await client.query('CREATE TABLE bare_subscription (LIKE subscription INCLUDING ALL)')
  const { rows } = await client.query("SELECT id FROM account WHERE delivery_email LIKE 'user%' ORDER BY id")
  const users: number[] = rows.map((row) => row.id)
  const headers = { authorization: bench.organization.authorization(0) }
  const found = { in: [] as Slice[], out: [] as Slice[], bareIn: [] as Slice[], bareOut: [] as Slice[] }
  let told: Told | undefined
  for (let round = 0; round <= rounds; round++) {
    // The first round warms up.
    const take = (name: keyof typeof found, slice: Slice) => round > 0 && found[name].push(slice)
    const name = `project ${500 + round}`
    const principals = JSON.stringify(users)
    const add = { subscriptions: JSON.stringify([{ name }]), principals }
    const before = await lastEvent(client)
    take('in', await bench.timed(() => bench.ask(rawRequest('POST', path, headers, add))))
    told = await toldSince(client, before)
    const remove = { subscriptions: JSON.stringify([name]), principals }
    take('out', await bench.timed(() => bench.ask(rawRequest('DELETE', path, headers, remove))))
    await client.query('TRUNCATE bare_subscription')
    const values = [bench.organization.realmId, users]
    take('bareIn', await bench.timed(() => client.query(bareInsert, values), process))
    take('bareOut', await bench.timed(() => client.query(bareUpdate), process))
  }
  return {
    rows: [
      rowOf('subscribe', found.in),
      rowOf('  a bare insert of as many rows', found.bareIn),
      rowOf('unsubscribe', found.out),
      rowOf('  a bare update of as many rows', found.bareOut),
    ],
    findings: [
      {
        what: 'subscribe, of a bare insert',
        ...ratioOf('p50', found.in, found.bareIn),
        budget: budgets.subscribeOfBare,
      },
      {
        what: 'unsubscribe, of a bare update',
        ...ratioOf('p50', found.out, found.bareOut),
        budget: budgets.unsubscribeOfBare,
      },
      ...findingsOf(told!),
    ],
  }
}

/** The least that subscribing costs, and ending subscriptions: as many rows in one statement. */
const bareInsert = `INSERT INTO bare_subscription (realm_id, user_id, channel_id, received, color)
  SELECT $1::integer, user_id, 1, '[[1, null]]', '#76ce90' FROM unnest($2::integer[]) AS user_id`
const bareUpdate = `UPDATE bare_subscription SET received = '[[1, 2]]'`

/** The entries that one request has added to the log. Each step is a commit, which stamps its entries (src/log/entry.ts). */
type Told = { steps: number; events: number; peers: number; bytes: number }

async function lastEvent(client: pg.Client): Promise<number> {
  const { rows } = await client.query('SELECT coalesce(max(id), 0) AS id FROM event_log')
  return Number(rows[0].id)
}

async function toldSince(client: pg.Client, id: number): Promise<Told> {
  const { rows } = await client.query(
    `SELECT count(DISTINCT stamp) AS steps, count(*) FILTER (WHERE event IS NOT NULL) AS events,
       count(*) FILTER (WHERE event ->> 'op' = 'peer_add') AS peers,
       sum(octet_length(event::text) + coalesce(octet_length(rows::text), 0)) AS bytes
     FROM event_log WHERE id > $1`,
    [id],
  )
  const { steps, events, peers, bytes } = rows[0]
  return { steps: Number(steps), events: Number(events), peers: Number(peers), bytes: Number(bytes) }
}

function findingsOf({ steps, events, peers, bytes }: Told) {
  return [
    { what: 'steps of it', value: steps, unit: '' },
    { what: 'events of a step', value: events / steps, unit: '', budget: budgets.subscribeEvents },
    { what: 'of them peer_add', value: peers / steps, unit: '', budget: budgets.subscribePeers },
    { what: 'of the log for each user', value: bytes / size.users, unit: 'bytes' },
  ]
}
