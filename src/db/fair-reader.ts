import { type Dialect, Kysely, type RawBuilder } from 'kysely'
import { type FairSemaphore, type SemaphoreCaller, slotError } from '../lib/async/fair-semaphore.ts'
import type { Db, Reader } from './database.ts'
import { databaseLimits } from './limits.ts'
import type { Database } from './schema.ts'

/** The connections that read: the semaphore has as many slots as there are connections. */
type ReadConnections = { db: Db; dialect: Dialect; read: Reader; slots: FairSemaphore }

/**
 * A reader that takes a connection only when the caller has a slot, and releases it after each read. However much one
 * caller reads at the same time, others find a connection.
 */
export function fairReader({ db, dialect, read, slots }: ReadConnections, caller: SemaphoreCaller): Reader {
  const inSlot = <T>(work: () => Promise<T>) => withDatabaseSlot(slots, caller, work)
  let builder: Db | undefined
  return {
    // Few requests build their statements in this way.
    selectFrom: ((from: 'account') => {
      builder ??= withSlots(db, dialect, inSlot)
      return builder.selectFrom(from)
    }) as Reader['selectFrom'],
    rows: <T>(query: RawBuilder<T>) => inSlot(() => read.rows(query)),
    prepared: <T>(name: string, query: RawBuilder<unknown>) => inSlot(() => read.prepared<T>(name, query)),
    snapshot: (work) => inSlot(() => read.snapshot(work)),
    longSnapshot: (work) => read.longSnapshot(work),
  }
}

/**
 * Does the work while the caller holds a slot: a connection that reads, or the turn to write in an organization. Throws 503 if no slot
 * is free in time or too many callers wait, and 429 if too many requests of the caller itself wait.
 */
export async function withDatabaseSlot<T>(
  slots: FairSemaphore,
  caller: SemaphoreCaller,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await slots.run(caller, databaseLimits.turnSeconds, undefined, work)
  } catch (error) {
    throw slotError(error, 'The database has too much to do right now. Try again in a moment.')
  }
}

function withSlots(db: Db, dialect: Dialect, inSlot: <T>(work: () => Promise<T>) => Promise<T>): Db {
  const plain = db.getExecutor()
  const executor = plain.withConnectionProvider({
    provideConnection: (use) => inSlot(() => plain.provideConnection(use)),
  })
  return new Kysely<Database>({ config: { dialect }, driver: dialect.createDriver(), dialect, executor })
}
