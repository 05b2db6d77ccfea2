import { sql } from 'kysely'
import type { LongReader } from '../../../../db/database.ts'
import { exportReadLimits } from '../exports/limits.ts'
import { filesOfRow, tablesWithFiles } from './files-of-rows.ts'

/** Yields the paths in the store of all files that an organization's rows refer to. */
export async function* expectedFiles(read: LongReader, realmId: number): AsyncIterable<string> {
  for (const [table, { columns, isThere }] of Object.entries(tablesWithFiles)) {
    const names = sql.join(columns.map((column) => sql.ref(column)))
    const own = sql.ref(table === 'realm' ? 'id' : 'realm_id')
    const query = sql<object>`
      SELECT ${names} FROM ${sql.table(table)} WHERE ${own} = ${realmId} AND ${sql.raw(isThere)}`
    for await (const rows of read.portions(query, exportReadLimits.exportPortion)) {
      for (const row of rows) yield* filesOfRow(table, realmId, row)
    }
  }
}
