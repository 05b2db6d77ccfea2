import pg from 'pg'
import { ignore } from '../lib/guard.ts'
import { firstIn } from '../lib/must.ts'
import { databaseLimits } from './limits.ts'

/** How often two clients are compared; one round finds an otherwise unused pooler. */
const rounds = 5

/**
 * Whether a pooler stands before the database that gives each transaction another session, like PgBouncer in
 * transaction mode. Of two clients, the second then works in the session that the first one has just used.
 */
export async function sharesSessions(url: string): Promise<boolean> {
  const clients = [newClient(url), newClient(url)]
  try {
    for (const client of clients) await client.connect()
    const sessions = clients.map(() => new Set<number>())
    for (let round = 0; round < rounds; round++) {
      for (const [i, client] of clients.entries()) sessions[i]?.add(await sessionOf(client))
    }
    return new Set(sessions.flatMap((of) => [...of])).size !== 2 || sessions.some(({ size }) => size > 1)
  } finally {
    for (const client of clients) await client.end().catch(() => {})
  }
}

function newClient(connectionString: string) {
  const client = new pg.Client({
    connectionString,
    connectionTimeoutMillis: databaseLimits.connectSeconds * 1000,
    query_timeout: databaseLimits.statementSeconds * 1000,
  })
  client.on('error', ignore)
  return client
}

async function sessionOf(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ session: number }>('SELECT pg_backend_pid() AS session')
  return firstIn(rows).session
}
