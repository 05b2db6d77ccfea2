import { Kysely, PostgresDialect, sql } from 'kysely'
import pg from 'pg'
import type { Db } from './database.ts'
import { replaceLostConnections } from './pool.ts'
import type { Database } from './schema.ts'

/** Does work that may take long, on a separate connection without time limits. */
export async function withLongWriter<T>(url: string, work: (db: Db) => Promise<T>): Promise<T> {
  const pool = new pg.Pool({ connectionString: url, max: 1, application_name: 'rookery', keepAlive: true })
  replaceLostConnections(pool)
  const db = new Kysely<Database>({ dialect: new PostgresDialect({ pool }) })
  try {
    return await work(db)
  } finally {
    await db.destroy()
  }
}

/** Permits a transaction to delete entries of the audit log, which the database refuses otherwise. */
export async function allowAuditRemoval(trx: Db) {
  await sql`SELECT set_config('rookery.audit_remove_before', ${String(2 ** 52)}, true)`.execute(trx)
}
