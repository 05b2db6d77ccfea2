import type { Connections } from '../db/database.ts'
import type { NodeNotifier, OnLost } from './node-notifier.ts'
import { wakeByNats } from './notify-by-nats.ts'
import { wakeByNotify } from './notify-by-postgres.ts'

/**
 * Creates the notifier between the nodes on a database: by the NATS that they share, otherwise by the database itself.
 */
export function createNodeNotifier(where: Where, connections: Connections, onLost?: OnLost): NodeNotifier {
  if (where.natsUrl === undefined) return wakeByNotify(where.databaseUrl, onLost)
  return wakeByNats(where.natsUrl, connections.read, onLost)
}

type Where = { databaseUrl: string; natsUrl?: string | undefined }
