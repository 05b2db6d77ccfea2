import { sql, type Transaction } from 'kysely'
import { rowsBy, type TableShape, tableShapes } from '../../db/catalog.ts'
import { migrations, migrationText } from '../../db/migrate.ts'
import type { Database } from '../../db/schema.ts'

/** Rows of these are made anew by every import, or are about the database itself. */
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
 * Brings rows of an older version into today's tables: `take` adds them to tables as that version had them, in a schema of their
 * own; the migrations that came later run over these tables; then their rows are moved. `applied`: the migrations of that version.
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
