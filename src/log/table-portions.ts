import { type RawBuilder, sql } from 'kysely'
import type { Reader } from '../db/database.ts'
import { ignore } from '../lib/guard.ts'
import { lastIn } from '../lib/must.ts'
import { ColumnReader } from './column-reader.ts'
import { logLimits } from './limits.ts'
import { type StateRow, type StateTable, stateTables } from './state-tables.ts'

/**
 * Yields the rows of an organization in a table in portions, in the order of their keys. One statement for a large table would take too long,
 * and the connection would be idle for too long after it. While the caller works on a portion, the database reads the next one. A small
 * table is read by one plain statement; for a large one, the first portion suggests how the others are best read.
 */
export async function* portionsOf(
  read: Reader,
  table: StateTable,
  realmId: number,
): AsyncIterable<StateRow[]> {
  const first = await readRows(read, portionOf(table, realmId, logLimits.rowsPerRead))
  const columns = first.length === logLimits.rowsPerRead && new ColumnReader(stateTables[table], first)
  const after = (rows: StateRow[]) => {
    if (!columns) return undefined
    const next = columns.read(read, portionOf(table, realmId, logLimits.rowsPerColumnRead, lastIn(rows)))
    // It is awaited, unless the rows cannot be taken.
    next.catch(ignore)
    return next
  }
  let next = after(first)
  yield first
  while (next) {
    const rows = await next
    next = rows.length === logLimits.rowsPerColumnRead ? after(rows) : undefined
    yield rows
  }
}

/** The condition for the rows of an organization. */
export function isInRealm(table: StateTable, realmId: number): RawBuilder<unknown> {
  return sql`${sql.ref(table === 'realm' ? 'id' : 'realm_id')} = ${realmId}`
}

function portionOf(table: StateTable, realmId: number, limit: number, last?: StateRow): RawBuilder<unknown> {
  const key: readonly string[] = stateTables[table]
  const columns = sql.join(key.map((column) => sql.ref(column)))
  const after = last ? sql`AND (${columns}) > (${sql.join(key.map((column) => last[column]))})` : sql``
  return sql`SELECT * FROM ${sql.table(table)} WHERE ${isInRealm(table, realmId)} ${after}
    ORDER BY ${columns} LIMIT ${sql.lit(limit)}`
}

/** Reads rows as one JSON text, in which they have the form of images in the log. `pg` would parse them one by one. */
async function readRows(read: Reader, portion: RawBuilder<unknown>): Promise<StateRow[]> {
  const [found] = await read.rows(sql<{ rows: StateRow[] }>`
    SELECT coalesce(json_agg(one), '[]') AS rows FROM (${portion}) AS one`)
  return found?.rows ?? []
}
