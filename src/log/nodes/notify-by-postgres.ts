import pg from 'pg'
import { Mutex } from '../../lib/async/mutex.ts'
import { guard, ignore } from '../../lib/guard.ts'
import type { Secrets } from '../../lib/secrets/sealed.ts'
import { logLimits } from '../limits.ts'
import { groupOf, groupsOfOrganizations } from './interest.ts'
import {
  type Call,
  createLineNotifier,
  type Follows,
  type Line,
  type LineWatcher,
  type NodeNotifier,
} from './node-notifier.ts'

/**
 * The channel that all nodes listen to. Calls of one organization go through a channel of its group, as each costs a
 * listener a comparison.
 */
const channel = 'rookery'

function channelOf(realmId: number | undefined): string {
  return realmId === undefined ? channel : `${channel}_${groupOf(realmId)}`
}

/**
 * Notifies by NOTIFY on a separate connection, after the commit and batched over a moment: inside each transaction it
 * would cost more than the writing itself. Every role of the database may listen and notify, so news is sealed.
 */
export function createPostgresNotifier(
  databaseUrl: string,
  seal: Secrets,
  watcher?: LineWatcher,
  follows?: Follows,
): NodeNotifier {
  return createLineNotifier(
    async (receive) => ({ ...(await openLine(databaseUrl, receive)), seal }),
    watcher,
    follows,
  )
}

/** PostgreSQL takes fewer than 8,000. */
const callBytes = logLimits.postgresCallBytes

async function openLine(databaseUrl: string, receive: (call: string) => void): Promise<Omit<Line, 'seal'>> {
  const client = new pg.Client({
    connectionString: databaseUrl,
    application_name: 'rookery wake',
    keepAlive: true,
  })
  let own: number | undefined
  const ended = new Promise<unknown>((resolve) => {
    const lose = guard(ignore, (error: Error) => {
      resolve(error)
      return client.end()
    })
    client.on('error', lose)
    const end = guard(lose, () => resolve(new Error('The database has ended the connection.')))
    client.on('end', end)
    // An error in the receiver ends the line, which is then opened again.
    const take = guard(lose, ({ payload, processId }: pg.Notification) => {
      if (processId !== own) receive(payload ?? '')
    })
    client.on('notification', take)
  })
  try {
    await client.connect()
    await client.query(`LISTEN ${channel}`)
  } catch (error) {
    await client.end().catch(() => {})
    throw error
  }
  // PostgreSQL also sends a session its own notifications.
  own = (client as pg.Client & { processID?: number }).processID
  return { callBytes, ended, ...channelsOf(client), end: () => client.end() }
}

const notify = 'SELECT pg_notify(channel, payload) FROM unnest($1::text[], $2::text[]) AS x(channel, payload)'

function channelsOf(client: pg.Client): Pick<Line, 'send' | 'follow' | 'unfollow'> {
  const turns = new Mutex()
  // A client takes one statement at a time.
  const query = (text: string, values?: string[][]) => turns.run(() => client.query(text, values))
  /** The organizations that are followed, by group. */
  const followed = new Map<number, Set<number>>()
  return {
    send: (calls: Call[]) =>
      query(notify, [calls.map(({ realmId }) => channelOf(realmId)), calls.map(({ text }) => text)]),
    async follow(realmIds) {
      const ids = realmIds === 'all' ? Array.from({ length: groupsOfOrganizations }, (_, i) => i) : realmIds
      const begun: string[] = []
      for (const id of ids) {
        const group = followed.get(groupOf(id)) ?? new Set()
        if (group.size === 0) begun.push(`LISTEN ${channelOf(id)}`)
        followed.set(groupOf(id), group.add(id))
      }
      if (begun.length > 0) await query(begun.join('; '))
    },
    unfollow(realmId) {
      const group = followed.get(groupOf(realmId))
      if (!group?.delete(realmId) || group.size > 0) return
      // If this fails, the line ends.
      query(`UNLISTEN ${channelOf(realmId)}`).catch(() => {})
    },
  }
}
