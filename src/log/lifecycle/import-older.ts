import { sql, type Transaction } from 'kysely'
import { rowsBy, type TableShape, tableShapes } from '../../db/catalog.ts'
import { migrations, migrationText } from '../../db/migrate.ts'
import type { Database } from '../../db/schema.ts'

/** Tables whose rows are not moved: every import creates them anew, or they are about the database itself. */
const ownTables = new Set([
  'event_log',
  'event_queue',
  'log_place',
  'migration',
  'moved_head',
  'missed_position',
  'push_position',
  'realm_head',
  'realm_place',
  'server_start',
])

/**
 * Imports rows of an older version. Creates the tables of that version in a separate schema, where `take` adds the rows; runs the later
 * migrations on these tables; and moves their rows into the present tables. `applied`: the migrations that the older version had.
 */
export async function importOlder<T>(
  trx: Transaction<Database>,
  shapes: TableShape[],
  applied: string[],
  take: (older: TableShape[]) => Promise<T>,
): Promise<T> {
  const schema = `rookery_import_${process.pid}`
  const run = async (names: string[]) => {
    for (const name of names) await sql.raw(await migrationText(name)).execute(trx)
  }
  await sql`CREATE SCHEMA ${sql.id(schema)}`.execute(trx)
  await sql`SET LOCAL search_path TO ${sql.id(schema)}`.execute(trx)
  // Migrations find the record of migrations there, as in any database.
  await sql`CREATE TABLE migration (name text PRIMARY KEY)`.execute(trx)
  await run(applied)
  const result = await take(await tableShapes(rowsBy(trx)))
  await run((await migrations()).filter((name) => !applied.includes(name)))
  await sql`SET LOCAL search_path TO DEFAULT`.execute(trx)
  for (const { name, columns } of shapes) {
    if (ownTables.has(name)) continue
    const list = sql.join(columns.map((column) => sql.ref(column)))
    await sql`INSERT INTO ${sql.table(name)} (${list}) OVERRIDING SYSTEM VALUE
      SELECT ${list} FROM ${sql.id(schema, name)}`.execute(trx)
  }
  await sql`DROP SCHEMA ${sql.id(schema)} CASCADE`.execute(trx)
  return result
}
