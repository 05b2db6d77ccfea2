import { Kysely, PostgresDialect, type RawBuilder, type Transaction } from 'kysely'
import pg from 'pg'
import { FairSemaphore, type SemaphoreCaller } from '../lib/fair-semaphore.ts'
import type { Tracer } from '../lib/tracer.ts'
import { withTimeout } from '../lib/with-timeout.ts'
import { checkPlace } from './epoch.ts'
import { fairReader } from './fair-reader.ts'
import { databaseLimits } from './limits.ts'
import { newPool, type PoolUse, readSettings, useOf } from './pool.ts'
import { reader } from './reader.ts'
import type { Database } from './schema.ts'
import { traceQueries } from './trace-queries.ts'

export type Db = Kysely<Database>
export type Writer = Transaction<Database>

/** Reads only: typed selects, and raw SQL for what the builder cannot express. Its sessions refuse to write. */
export type Reader = Pick<Kysely<Database>, 'selectFrom'> & {
  rows<T>(query: RawBuilder<T>): Promise<T[]>
  /** Does the same for a frequent statement with few forms: each connection plans each form once. */
  prepared<T>(name: string, query: RawBuilder<unknown>): Promise<T[]>
  /** Reads several times at one moment (REPEATABLE READ). */
  snapshot<T>(work: (read: Reader) => Promise<T>): Promise<T>
  /** Does the same for work that takes long: on a separate connection, without time limits. */
  longSnapshot<T>(work: (read: LongReader) => Promise<T>): Promise<T>
}

/** A long-lived snapshot also returns rows in portions. */
export type LongReader = Reader & {
  /** Runs one query at a time, and yields at most `size` rows together. */
  portions<T>(query: RawBuilder<T>, size: number): AsyncIterable<T[]>
}

export type Connections = {
  db: Db
  pool: pg.Pool
  read: Reader
  /** The number of connections that read. */
  readers: number
  /** Returns a reader for one caller, who has at most half of the connections at a time. */
  readFor(caller: SemaphoreCaller): Reader
  /** How many connections are in use now, to write and to read. */
  use(): { write: PoolUse; read: PoolUse }
  close(): Promise<void>
}

// Ids and UNIX times fit into a double.
pg.types.setTypeParser(pg.types.builtins.INT8, Number)

/**
 * Opens one pool to write and one whose sessions are read-only. `max` connections in all. With a tracer, each statement is
 * a step of what it is run for.
 */
export function connect(url: string, max: number, tracer?: Tracer): Connections {
  const writers = Math.max(1, Math.ceil(max / 3))
  const pool = newPool(url, writers, {}, checkPlace)
  const db = new Kysely<Database>({ dialect: new PostgresDialect({ pool }) })
  const readers = Math.max(1, max - writers)
  const readPool = newPool(url, readers, readSettings)
  const dialect = new PostgresDialect({ pool: readPool })
  const readDb = new Kysely<Database>({ dialect })
  const read = reader(readDb, url, readPool)
  if (tracer) for (const one of [pool, readPool]) traceQueries(one, tracer)
  const room = { most: databaseLimits.readsWaiting, each: databaseLimits.readsWaitingEach }
  const turns = new FairSemaphore(readers, Math.ceil(readers / 2), room)
  return {
    db,
    pool,
    read,
    readers,
    readFor: (caller) => fairReader({ db: readDb, dialect, read, turns }, caller),
    use: () => ({ write: useOf(pool), read: useOf(readPool) }),
    // A database that does not respond does not close connections either.
    close: () =>
      withTimeout(databaseLimits.connectSeconds, Promise.all([end(db, pool), end(readDb, readPool)])),
  }
}

/** Kysely ends only a pool that it has used itself, and leaves others open. */
async function end(db: Db, pool: pg.Pool) {
  await db.destroy()
  if (!pool.ending) await pool.end()
}

/**
 * Returns the same reader, but prepared statements are planned anew for their values: where the best plan depends on
 * them.
 */
export function planEach(read: Reader): Reader {
  return {
    ...read,
    prepared: <T>(_: string, query: RawBuilder<unknown>) => read.rows(query as RawBuilder<T>),
  }
}
