import { type Dialect, Kysely, type RawBuilder } from 'kysely'
import { type FairSemaphore, type SemaphoreCaller, slotError } from '../lib/async/fair-semaphore.ts'
import type { Db, Reader } from './database.ts'
import { databaseLimits } from './limits.ts'
import type { Database } from './schema.ts'

/** The connections that read: the semaphore has as many slots as there are connections. */
type ReadConnections = { db: Db; dialect: Dialect; read: Reader; turns: FairSemaphore }

/**
 * A reader that takes a connection only when the caller has a slot, and releases it after each read. However much one
 * caller reads at the same time, others find a connection.
 */
export function fairReader({ db, dialect, read, turns }: ReadConnections, caller: SemaphoreCaller): Reader {
  const inTurn = <T>(work: () => Promise<T>) => withReaderSlot(turns, caller, work)
  let builder: Db | undefined
  return {
    // Few requests build their statements so.
    selectFrom: ((from: 'account') => {
      builder ??= withTurns(db, dialect, inTurn)
      return builder.selectFrom(from)
    }) as Reader['selectFrom'],
    rows: <T>(query: RawBuilder<T>) => inTurn(() => read.rows(query)),
    prepared: <T>(name: string, query: RawBuilder<unknown>) => inTurn(() => read.prepared<T>(name, query)),
    snapshot: (work) => inTurn(() => read.snapshot(work)),
    longSnapshot: (work) => read.longSnapshot(work),
  }
}

/**
 * Does the work while the caller holds a slot. Throws 503 if waiting for it takes too long, or too many wait; 429 if too
 * much of the caller's own waits.
 */
export async function withReaderSlot<T>(
  turns: FairSemaphore,
  caller: SemaphoreCaller,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await turns.run(caller, databaseLimits.turnSeconds, undefined, work)
  } catch (error) {
    throw slotError(error, 'The database has too much to do right now. Try again in a moment.')
  }
}

function withTurns(db: Db, dialect: Dialect, inTurn: <T>(work: () => Promise<T>) => Promise<T>): Db {
  const plain = db.getExecutor()
  const executor = plain.withConnectionProvider({
    provideConnection: (use) => inTurn(() => plain.provideConnection(use)),
  })
  return new Kysely<Database>({ config: { dialect }, driver: dialect.createDriver(), dialect, executor })
}
