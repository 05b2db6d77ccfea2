import type { Reader } from '../db/database.ts'
import type { LogEnd } from '../db/replica.ts'
import type { SemaphoreCaller } from '../lib/async/fair-semaphore.ts'
import { Shared } from '../lib/async/shared.ts'
import { memoizePer } from '../lib/collections/memoize-per.ts'
import { type Head, LogClosed, readHead } from './head.ts'
import type { RealmLog } from './realm-log.ts'

/**
 * Returns a reader for one request. It reads from a replica if that has all entries that the database had when the request first read, and all
 * that this node has folded in. So no user sees older data than before, and the caches in memory stay true to the log.
 */
export function readFromReplica(log: RealmLog, caller: SemaphoreCaller): Reader {
  let look: Promise<Head | undefined> | undefined
  const end = async (): Promise<LogEnd | undefined> => {
    look ??= heads(log).run()
    const head = await look
    if (!head) return undefined
    const { id: realmId, position } = log.state
    return { realmId, epoch: head.epoch, lastEventId: Math.max(head.lastEventId, position) }
  }
  return log.database.readFor(caller, end)
}

/** Reads the end of the log in the database, for many callers with one query; undefined if the log is closed there. */
const heads = memoizePer(
  ({ database, state: { id } }: RealmLog) =>
    new Shared(() =>
      readHead(database.read, id).catch((error) => {
        if (error instanceof LogClosed) return undefined
        throw error
      }),
    ),
)
