import { Kysely, PostgresDialect, sql } from 'kysely'
import pg from 'pg'
import { tableShapes } from '../db/catalog.ts'
import { surviveLosses } from '../db/database.ts'
import type { Database } from '../db/schema.ts'

/**
 * Deletes an organization from the database, in one transaction: all of it, or nothing. Its files are left to the
 * caller. Nodes notice within seconds that it is gone. A connection of its own has no time limits.
 */
export async function deleteRealm(url: string, realmId: number): Promise<void> {
  const pool = new pg.Pool({ connectionString: url, max: 1, application_name: 'rookery', keepAlive: true })
  surviveLosses(pool)
  const db = new Kysely<Database>({ dialect: new PostgresDialect({ pool }) })
  try {
    const shapes = await tableShapes({ rows: async (query) => (await query.execute(db)).rows })
    await db.transaction().execute(async (trx) => {
      // No node writes meanwhile.
      await sql`SELECT 1 FROM realm_head WHERE realm_id = ${realmId} FOR UPDATE`.execute(trx)
      // The log of who did what goes with the organization.
      await sql`SELECT set_config('rookery.audit_remove_before', ${String(2 ** 52)}, true)`.execute(trx)
      for (const { name, columns } of shapes.reverse()) {
        if (!columns.includes('realm_id')) continue
        await sql`DELETE FROM ${sql.table(name)} WHERE realm_id = ${realmId}`.execute(trx)
      }
      await sql`DELETE FROM realm WHERE id = ${realmId}`.execute(trx)
    })
  } finally {
    await db.destroy()
  }
}
