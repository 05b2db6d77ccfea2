import type { Connections } from '../../db/database.ts'
import type { Secrets } from '../../lib/secrets/sealed.ts'
import type { Follows, LineWatcher, NodeNotifier } from './node-notifier.ts'
import { createNatsNotifier } from './notify-by-nats.ts'
import { createPostgresNotifier } from './notify-by-postgres.ts'

/**
 * Creates the notifier between the nodes on a database: by the NATS that they share, otherwise by the database itself.
 * Others may use either as well, so news goes through them sealed. `follows`: of which organizations this node wants news.
 */
export function createNodeNotifier(
  { databaseUrl, natsUrl, secrets, follows }: Where,
  connections: Connections,
  watcher?: LineWatcher,
): NodeNotifier {
  if (natsUrl === undefined) return createPostgresNotifier(databaseUrl, secrets, watcher, follows)
  return createNatsNotifier(natsUrl, connections.read, secrets, watcher, follows)
}

type Where = { databaseUrl: string; natsUrl?: string | undefined; secrets: Secrets; follows?: Follows }
