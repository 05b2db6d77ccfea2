import { hash } from 'node:crypto'
import { CompiledQuery, Kysely, PostgresDialect, type RawBuilder, sql } from 'kysely'
import pg from 'pg'
import { withTimeout } from '../lib/async/with-timeout.ts'
import type { Db, LongReader, Reader, Writer } from './database.ts'
import { databaseLimits } from './limits.ts'
import { replaceLostConnections } from './pool.ts'
import type { Database } from './schema.ts'

export function reader(db: Db | Writer, url: string, pool?: pg.Pool): Reader {
  const run = async <T>(query: RawBuilder<unknown>, name?: string): Promise<T[]> => {
    // Within a snapshot the connection is Kysely's, which does not name statements.
    const statement = statementOf(db, query, pool && name)
    if (!pool) return (await db.executeQuery<T>(CompiledQuery.raw(statement.text, statement.values))).rows
    return (await pool.query(statement)).rows
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
  replaceLostConnections(pool)
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

/** A statement as `pg` takes it. A connection prepares a named one once. */
export type Statement = { name?: string; text: string; values: unknown[] }

export function statementOf(db: Db | Writer, query: RawBuilder<unknown>, name?: string): Statement {
  const { sql: text, parameters } = query.compile(db)
  return { text, values: parameters.map(asText), ...(name && { name: `${name}:${formOf(text)}` }) }
}

/** Returns a list of numbers as the text of a PostgreSQL array: `pg` would quote each number, which takes several times as long. */
function asText(value: unknown): unknown {
  const isOfNumbers = Array.isArray(value) && value.every((item) => typeof item === 'number')
  return isOfNumbers ? `{${value.join()}}` : value
}

/** Returns a short name for the text of a statement. */
function formOf(text: string) {
  return hash('sha1', text, 'base64url')
}
