import pg from 'pg'
import { guard, ignore } from '../lib/guard.ts'
import type { Secrets } from '../lib/sealed.ts'
import { type Line, type NodeNotifier, type OnLost, wakeBy } from './node-notifier.ts'

const channel = 'rookery'

/**
 * Notifies by NOTIFY on a separate connection, after the commit and batched over a moment: inside each transaction it
 * would cost more than the writing itself. Every role of the database may listen and notify, so news is sealed.
 */
export function wakeByNotify(
  databaseUrl: string,
  seal: Secrets,
  onLost?: OnLost,
  follows?: boolean,
): NodeNotifier {
  return wakeBy(async (hear) => ({ ...(await openLine(databaseUrl, hear)), seal }), onLost, follows)
}

/** PostgreSQL takes fewer than 8,000. */
const callBytes = 7_900

async function openLine(databaseUrl: string, hear: (call: string) => void): Promise<Omit<Line, 'seal'>> {
  const client = new pg.Client({
    connectionString: databaseUrl,
    application_name: 'rookery wake',
    keepAlive: true,
  })
  const ended = new Promise<unknown>((resolve) => {
    const lose = guard(ignore, (error: Error) => {
      resolve(error)
      return client.end()
    })
    client.on('error', lose)
    const end = guard(lose, () => resolve(new Error('The database has ended the connection.')))
    client.on('end', end)
    // An error in the receiver ends the line, which is then opened anew.
    const take = guard(lose, ({ payload }: pg.Notification) => hear(payload ?? ''))
    client.on('notification', take)
  })
  try {
    await client.connect()
    await client.query(`LISTEN ${channel}`)
  } catch (error) {
    await client.end().catch(() => {})
    throw error
  }
  const notify = 'SELECT pg_notify($1, payload) FROM unnest($2::text[]) AS payload'
  const send = (calls: string[]) => client.query(notify, [channel, calls])
  return { callBytes, ended, send, end: () => client.end() }
}
