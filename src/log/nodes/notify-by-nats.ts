import { createHash } from 'node:crypto'
import { type RawBuilder, sql } from 'kysely'
import { connectToNats, type NatsConnection } from '../../adapters/nats.ts'
import type { Reader } from '../../db/database.ts'
import { withTimeout } from '../../lib/async/with-timeout.ts'
import { firstIn } from '../../lib/must.ts'
import type { Secrets } from '../../lib/secrets/sealed.ts'
import { logLimits } from '../limits.ts'
import {
  createLineNotifier,
  type Follows,
  type Line,
  type LineWatcher,
  type NodeNotifier,
} from './node-notifier.ts'

const flushSeconds = 1

/**
 * Notifies by NATS, under a subject that belongs to the database alone, and of one organization under a subject below
 * it. With several servers, with commas between their URLs, it tries one after the other.
 */
export function createNatsNotifier(
  urls: string,
  read: Reader,
  seal: Secrets,
  watcher?: LineWatcher,
  follows?: Follows,
): NodeNotifier {
  const servers = urls.split(',')
  let tries = 0
  return createLineNotifier(
    async (hear) => {
      const server = servers[tries++ % servers.length]!
      const nats = await connectToNats(server, { name: await nameOf(read), hear, echo: false })
      return { ...lineOf(nats), callBytes: logLimits.natsCallBytes, seal }
    },
    watcher,
    follows,
  )
}

function lineOf(nats: NatsConnection): Omit<Line, 'callBytes' | 'seal'> {
  return {
    ended: nats.ended,
    async send(calls) {
      for (const { realmId, text } of calls) nats.publish(text, realmId?.toString())
    },
    async follow(realmIds) {
      if (realmIds === 'all') nats.subscribe('>')
      else for (const id of realmIds) nats.subscribe(String(id))
      await nats.flush()
    },
    unfollow: (realmId) => nats.unsubscribe(String(realmId)),
    async end() {
      await withTimeout(flushSeconds, nats.flush())
      nats.end()
    },
  }
}

/**
 * Returns the subject of the nodes on a database. Deployments may share a NATS, and have organizations with the same
 * ids. The name is the database's own, not its URL, which may differ from node to node. A database that was copied file
 * by file has the name of the original: its nodes then look for entries that do not exist, and continue.
 */
export async function nameOf(read: Reader): Promise<string> {
  const query: RawBuilder<{ identity: string }> = sql`
    SELECT system_identifier || ':' || oid AS identity
    FROM pg_control_system(), pg_database WHERE datname = current_database()`
  const row = firstIn(await read.rows(query))
  return `rookery.${createHash('sha256').update(row.identity).digest('hex').slice(0, 32)}`
}
