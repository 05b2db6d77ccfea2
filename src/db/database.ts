import { Kysely, PostgresDialect, type RawBuilder, type Transaction } from 'kysely'
import pg from 'pg'
import type { SemaphoreCaller } from '../lib/async/fair-semaphore.ts'
import { withTimeout } from '../lib/async/with-timeout.ts'
import type { Tracer } from '../lib/tracer.ts'
import { beginEpochsOfCopy } from './epoch.ts'
import { fairReader } from './fair-reader.ts'
import { databaseLimits } from './limits.ts'
import { newPool, type PoolUse, readSettings, useOf } from './pool.ts'
import { reader } from './reader.ts'
import { type LogEnd, Replica, type ReplicaOptions, readerSlots } from './replica.ts'
import type { Database } from './schema.ts'
import { traceQueries } from './trace-queries.ts'

export type Db = Kysely<Database>
export type Writer = Transaction<Database>

/** Reads only: typed selects, and raw SQL for what the builder cannot express. Its sessions refuse to write. */
export type Reader = Pick<Kysely<Database>, 'selectFrom'> & {
  rows<T>(query: RawBuilder<T>): Promise<T[]>
  /** Runs a frequent statement that has few forms: each connection plans each form once. */
  prepared<T>(name: string, query: RawBuilder<unknown>): Promise<T[]>
  /** Reads several times at one moment (REPEATABLE READ). */
  snapshot<T>(work: (read: Reader) => Promise<T>): Promise<T>
  /** Runs work that takes long in one snapshot, on a separate connection without time limits. */
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
  /**
   * Returns a reader for one caller, who has at most half of the connections at a time. With `end`, it reads from the replica if that
   * has reached the end of the log that `end` returns.
   */
  readFor(caller: SemaphoreCaller, end?: () => Promise<LogEnd | undefined>): Reader
  /** Undefined if there is none. */
  replica: Replica | undefined
  /** How many connections are in use now, to write, to read, and to read from the replica. */
  use(): { write: PoolUse; read: PoolUse; replica?: PoolUse }
  close(): Promise<void>
}

// Ids and UNIX times fit into a double.
pg.types.setTypeParser(pg.types.builtins.INT8, Number)

/**
 * Opens a pool to write and one whose sessions are read-only, of `max` connections in total. With a tracer, each statement is a step of
 * a trace. A replica gets as many connections as read from the database, since either may have to serve all heavy requests.
 */
export function connect(
  url: string,
  max: number,
  tracer?: Tracer,
  replicaOptions?: ReplicaOptions,
): Connections {
  const pool = newPool(url, Math.max(1, Math.ceil(max / 3)), { check: beginEpochsOfCopy })
  const db = new Kysely<Database>({ dialect: new PostgresDialect({ pool }) })
  const readers = readerCount(max)
  const readPool = newPool(url, readers, { settings: readSettings })
  const dialect = new PostgresDialect({ pool: readPool })
  const readDb = new Kysely<Database>({ dialect })
  const read = reader(readDb, url, readPool)
  if (tracer) for (const one of [pool, readPool]) traceQueries(one, tracer)
  const slots = readerSlots(readers)
  const replica =
    replicaOptions && new Replica({ db: readDb, pool: readPool }, replicaOptions, readers, tracer)
  return {
    db,
    pool,
    read,
    readers,
    readFor(caller, end) {
      const primary = fairReader({ db: readDb, dialect, read, slots }, caller)
      return replica && end ? replica.readFor(caller, primary, end) : primary
    },
    replica,
    use: () => ({ write: useOf(pool), read: useOf(readPool), ...(replica && { replica: replica.use }) }),
    // A database that does not respond does not close connections either.
    close: () =>
      withTimeout(
        databaseLimits.connectSeconds,
        Promise.all([end(db, pool), end(readDb, readPool), replica?.close()]),
      ),
  }
}

/** Returns how many of `max` connections read. */
export function readerCount(max: number): number {
  return Math.max(1, Math.floor((max * 2) / 3))
}

/** Kysely ends only a pool that it has used itself, and leaves others open. */
async function end(db: Db, pool: pg.Pool) {
  await db.destroy()
  if (!pool.ending) await pool.end()
}

/** Returns a reader that does not prepare statements, so that each is planned for its values: for those whose best plan depends on them. */
export function withCustomPlans(read: Reader): Reader {
  return {
    ...read,
    prepared: <T>(_: string, query: RawBuilder<unknown>) => read.rows(query as RawBuilder<T>),
  }
}
