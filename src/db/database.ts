import { hash } from 'node:crypto'
import type { Socket } from 'node:net'
import { CompiledQuery, Kysely, PostgresDialect, type RawBuilder, sql, type Transaction } from 'kysely'
import pg from 'pg'
import { FairSemaphore, type SemaphoreCaller } from '../lib/fair-semaphore.ts'
import { guard, ignore } from '../lib/guard.ts'
import type { Tracer } from '../lib/tracer.ts'
import { withTimeout } from '../lib/with-timeout.ts'
import { checkPlace } from './epoch.ts'
import { fairReader } from './fair-reader.ts'
import { databaseLimits } from './limits.ts'
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

/** The connections of a pool: in use, unused, and callers that wait for one. */
export type PoolUse = { used: number; idle: number; waiting: number }

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

function useOf({ totalCount, idleCount, waitingCount }: pg.Pool): PoolUse {
  return { used: totalCount - idleCount, idle: idleCount, waiting: waitingCount }
}

/** Kysely ends only a pool that it has used itself, and leaves others open. */
async function end(db: Db, pool: pg.Pool) {
  await db.destroy()
  if (!pool.ending) await pool.end()
}

// Room to sort some ten thousand messages.
const readSettings = { default_transaction_read_only: 'on', work_mem: '16MB' }

const sessionSettings = {
  // Compiling a statement takes longer than any of ours; our own PostgreSQL is set so anyway.
  jit: 'off',
  statement_timeout: `${databaseLimits.statementSeconds}s`,
  // If this process hangs, others do not wait for its locks.
  idle_in_transaction_session_timeout: `${databaseLimits.silenceSeconds}s`,
}

/** `check` runs on each new connection before its first use. */
function newPool(
  connectionString: string,
  max: number,
  more: Record<string, string> = {},
  check: (client: pg.PoolClient) => Promise<unknown> = async () => {},
) {
  const settings = { ...sessionSettings, ...more }
  const pool = new pg.Pool({
    connectionString,
    max,
    application_name: 'rookery',
    connectionTimeoutMillis: databaseLimits.connectSeconds * 1000,
    idleTimeoutMillis: 0,
    keepAlive: true,
    onConnect: (client) => begin(client as pg.PoolClient, settings, check),
  })
  surviveLosses(pool)
  endSilent(pool)
  return pool
}

/**
 * Replaces a lost connection at its next use, where the failing query reports the loss. Without listeners, on the pool
 * for an idle one and on each for one in use, it would end the process.
 */
export function surviveLosses(pool: pg.Pool) {
  const survive = guard(ignore, (client: pg.PoolClient) => client.on('error', ignore))
  pool.on('error', ignore).on('connect', survive)
}

/** Not as parameters of the connection, which poolers refuse or drop. */
async function begin(
  client: pg.PoolClient,
  settings: Record<string, string>,
  check: (client: pg.PoolClient) => Promise<unknown>,
) {
  const end = guard(ignore, () => client.connection.stream.destroy())
  const late = setTimeout(end, databaseLimits.connectSeconds * 1000)
  try {
    await client.query(
      Object.entries(settings)
        .map(([name, value]) => `SET ${name} = '${value}'`)
        .join('; '),
    )
    await check(client)
  } finally {
    clearTimeout(late)
  }
}

/**
 * Ends connections in use on which nothing has moved for long: a database that hangs, or has become unreachable, does
 * not close them by itself. The queries under way on them fail.
 */
function endSilent(pool: pg.Pool) {
  const socketOf = (client: pg.PoolClient) => client.connection.stream as Socket
  const end = function (this: Socket) {
    this.destroy()
  }
  const watch = guard(ignore, (client: pg.PoolClient) =>
    socketOf(client).setTimeout(databaseLimits.silenceSeconds * 1000, end),
  )
  const leave = guard(ignore, (_: unknown, client: pg.PoolClient) => socketOf(client).setTimeout(0, end))
  pool.on('acquire', watch).on('release', leave)
}

function reader(db: Db | Writer, url: string, pool?: pg.Pool): Reader {
  const run = async <T>(query: RawBuilder<unknown>, name?: string): Promise<T[]> => {
    const { sql: text, parameters } = query.compile(db)
    const values = parameters.map(asText)
    // Within a snapshot the connection is Kysely's, which does not name statements.
    if (!pool) return (await db.executeQuery<T>(CompiledQuery.raw(text, values))).rows
    return (await pool.query({ text, values, ...(name && { name: `${name}:${formOf(text)}` }) })).rows
  }
  return {
    selectFrom: db.selectFrom.bind(db),
    rows: (query) => run(query),
    prepared: (name, query) => run(query, name),
    snapshot: (work) =>
      db.isTransaction
        ? work(reader(db, url))
        : db
            .transaction()
            .setIsolationLevel('repeatable read')
            .execute((trx) => work(reader(trx, url))),
    longSnapshot: (work) => longSnapshot(url, work),
  }
}

async function longSnapshot<T>(url: string, work: (read: LongReader) => Promise<T>): Promise<T> {
  const pool = new pg.Pool({
    connectionString: url,
    max: 1,
    application_name: 'rookery',
    connectionTimeoutMillis: databaseLimits.connectSeconds * 1000,
    keepAlive: true,
  })
  surviveLosses(pool)
  const db = new Kysely<Database>({ dialect: new PostgresDialect({ pool }) })
  try {
    return await db
      .transaction()
      .setIsolationLevel('repeatable read')
      .setAccessMode('read only')
      .execute((trx) => work({ ...reader(trx, url), portions: (query, size) => portions(trx, query, size) }))
  } finally {
    await withTimeout(databaseLimits.connectSeconds, db.destroy())
  }
}

async function* portions<T>(trx: Writer, query: RawBuilder<T>, size: number): AsyncIterable<T[]> {
  await sql`DECLARE portions NO SCROLL CURSOR FOR ${query}`.execute(trx)
  for (;;) {
    const { rows } = await sql<T>`FETCH ${sql.lit(size)} FROM portions`.execute(trx)
    if (rows.length > 0) yield rows
    if (rows.length < size) break
  }
  await sql`CLOSE portions`.execute(trx)
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

/** Writes a list of ids as PostgreSQL reads it. `pg` quotes each number, which takes several times as long. */
function asText(value: unknown): unknown {
  const isOfNumbers = Array.isArray(value) && value.every((item) => typeof item === 'number')
  return isOfNumbers ? `{${value.join()}}` : value
}

/** Returns a short name for the text of a statement. */
function formOf(text: string) {
  return hash('sha1', text, 'base64url')
}
