import pg from 'pg'
import { withTimeout } from '../lib/async/with-timeout.ts'
import { guard, ignore } from '../lib/guard.ts'
import { firstIn } from '../lib/must.ts'
import { databaseLimits } from './limits.ts'

/** How often two clients are compared; one round finds an otherwise unused pooler. */
const rounds = 5

/** How long a check waits for the database, and a signal that ends it earlier. */
type Patience = { connectSeconds: number; answerSeconds: number; stopping?: AbortSignal }

const { connectSeconds, statementSeconds: answerSeconds } = databaseLimits

/**
 * Whether a pooler stands before the database that gives each transaction another session, like PgBouncer in
 * transaction mode. Of two clients, the second then works in the session that the first one has just used.
 */
export async function sharesSessions(
  url: string,
  patience: Patience = { connectSeconds, answerSeconds },
): Promise<boolean> {
  const clients = [newClient(url, patience), newClient(url, patience)]
  const cut = guard(ignore, () => clients.forEach((client) => void client.connection.stream.destroy()))
  patience.stopping?.addEventListener('abort', cut)
  try {
    for (const client of clients) await client.connect()
    const sessions = clients.map(() => new Set<number>())
    for (let round = 0; round < rounds; round++) {
      for (const [i, client] of clients.entries()) sessions[i]?.add(await sessionOf(client))
    }
    await withTimeout(patience.answerSeconds, Promise.all(clients.map((client) => client.end())))
    return new Set(sessions.flatMap((of) => [...of])).size !== 2 || sessions.some(({ size }) => size > 1)
  } finally {
    // If no packets arrive, connections do not close by themselves.
    cut()
    patience.stopping?.removeEventListener('abort', cut)
  }
}

function newClient(connectionString: string, { connectSeconds, answerSeconds }: Patience) {
  const client = new pg.Client({
    connectionString,
    connectionTimeoutMillis: connectSeconds * 1000,
    query_timeout: answerSeconds * 1000,
  })
  client.on('error', ignore)
  return client
}

async function sessionOf(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ session: number }>('SELECT pg_backend_pid() AS session')
  return firstIn(rows).session
}
