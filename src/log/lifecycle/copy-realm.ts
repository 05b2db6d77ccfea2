import { type RawBuilder, sql } from 'kysely'
import { type RowSource, rowsBy, type TableShape, tableShapes } from '../../db/catalog.ts'
import type { Db, LongReader, Reader, Writer } from '../../db/database.ts'
import { allowAuditRemoval } from '../../db/long-writer.ts'
import { firstIn, must } from '../../lib/must.ts'
import { logLimits } from '../limits.ts'
import { raiseSequences } from './sequences.ts'

/** Tables that are not copied: their rows say where the organization is, and whether it can be written in this database. */
const ownTables = ['realm_head', 'realm_place']

const { rowsPerCopy, spareIds } = logLimits

/** A table to copy. `isReferenced`: rows of other tables refer to its rows. `hasOtherKeys`: it has unique indexes besides the primary key. */
export type CopiedTable = TableShape & { isReferenced: boolean; hasOtherKeys: boolean }

/** A copy under way, from the snapshot `at` into the transaction `trx`. `check` throws when it has taken too long. */
type RealmCopy = { at: LongReader; trx: Writer; realmId: number; tables: CopiedTable[]; check(): void }

/** Copies all rows; or those that have changed since an earlier copy, which returned `since`. Returns a `since` for the next copy. */
export async function copyRealm(copy: RealmCopy, since?: string): Promise<string> {
  await allowAuditRemoval(copy.trx)
  const next = await copy.at.rows<{ since: string }>(sql`
    SELECT (pg_snapshot_xmin(pg_current_snapshot())::text::numeric % 4294967296)::text AS since`)
  // Rows of transactions that had not ended, or not begun, at the last pass. A few had ended by then; the copy already
  // has their rows.
  const isNew = since === undefined ? sql`true` : sql`age(xmin) <= age(${since}::text::xid)`
  const [given, own] = [await countRows(copy.at, copy, isNew), await countRows(rowsBy(copy.trx), copy)]
  for (const table of copy.tables) {
    copy.check()
    const isEmpty = own(table).count === 0
    // A new row may have the unique name of a deleted row.
    if (given(table).fresh === 0) continue
    if (table.hasOtherKeys && !isEmpty) await removeGone(copy, table)
    await copyRows(copy, table, isNew, isEmpty)
  }
  const differing = async () => {
    const copied = await countRows(rowsBy(copy.trx), copy)
    return copy.tables.filter((table) => copied(table).count !== given(table).count)
  }
  for (const table of await differing()) await removeGone(copy, table)
  const [wrong] = await differing()
  if (wrong) throw new Error(`The copy of ${wrong.name} is not what was copied.`)
  return firstIn(next).since
}

/**
 * Moves the sequences of the target database beyond the ids of the organization. `isLast`: nobody writes in the organization any longer, and
 * this must not wait. Otherwise it leaves room for ids that are taken meanwhile, and reports what it waits for.
 */
export async function advanceSequences(
  at: LongReader,
  db: Db,
  isLast: boolean,
  report: (line: string) => void,
) {
  const shapes = (await tableShapes(at)).filter(({ name }) => name !== 'realm')
  const [given, own] = [await lastValues(at, shapes), await lastValues(rowsBy(db), shapes)]
  const spare = isLast ? 0 : spareIds
  const highest: Record<string, Record<string, number>> = {}
  for (const { name, sequences } of shapes) {
    for (const { column, sequence } of sequences) {
      const last = given.get(sequence) ?? 0
      if (last + spare / 2 > (own.get(sequence) ?? 0))
        highest[name] = { ...highest[name], [column]: last + spare }
    }
  }
  await raiseSequences(db, shapes, highest, isLast ? undefined : report)
}

/** Returns the last number that each sequence has given out; 0 if it has given out none. */
async function lastValues(read: RowSource, shapes: TableShape[]): Promise<Map<string, number>> {
  const names = shapes.flatMap(({ sequences }) => sequences.map(({ sequence }) => sequence))
  const queries = names.map(
    (name) => sql`
      SELECT ${name}::text AS name, last_value - (NOT is_called)::integer AS last FROM ${sql.table(name)}`,
  )
  const found = await read.rows<{ name: string; last: number }>(sql`${sql.join(queries, sql` UNION ALL `)}`)
  return new Map(found.map(({ name, last }) => [name, last]))
}

/** Returns the tables that have rows of organizations, each after those that it refers to. */
export async function copiedTables(at: Reader): Promise<CopiedTable[]> {
  const facts = await at.rows<{ name: string; isReferenced: boolean; hasOtherKeys: boolean }>(sql`
    SELECT c.relname AS name,
      EXISTS (SELECT FROM pg_constraint WHERE contype = 'f' AND confrelid = c.oid) AS "isReferenced",
      (SELECT count(*) FROM pg_index WHERE indrelid = c.oid AND indisunique) > 1 AS "hasOtherKeys"
    FROM pg_class c WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind = 'r'`)
  const of = new Map(facts.map((fact) => [fact.name, fact]))
  return (await tableShapes(at))
    .filter(
      ({ name, columns }) => name === 'realm' || (columns.includes('realm_id') && !ownTables.includes(name)),
    )
    .map((shape) => ({ isReferenced: true, hasOtherKeys: true, ...of.get(shape.name), ...shape }))
}

type Counts = { count: number; fresh: number }

/** Counts the rows of every table, and those of them that are new, by one query. */
async function countRows(
  read: RowSource,
  { realmId, tables }: RealmCopy,
  isNew: RawBuilder<unknown> = sql`false`,
) {
  const queries = tables.map(
    (table) => sql`
      SELECT ${table.name}::text AS name, count(*) AS count, count(*) FILTER (WHERE ${isNew}) AS fresh
      FROM ${sql.table(table.name)} WHERE ${ownColumn(table)} = ${realmId}`,
  )
  const found = await read.rows<Counts & { name: string }>(sql`${sql.join(queries, sql` UNION ALL `)}`)
  const byName = new Map(found.map((counts) => [counts.name, counts]))
  return ({ name }: CopiedTable): Counts => must(byName.get(name), `count of ${name}`)
}

async function copyRows(copy: RealmCopy, table: CopiedTable, isNew: RawBuilder<unknown>, isEmpty: boolean) {
  for await (const rows of rowsIn(copy, table, table.columns, isNew)) {
    if (!table.isReferenced && !isEmpty) await deleteSame(copy, table, rows)
    await insert(copy, table, rows)
  }
}

/** Yields rows as JSON texts, with some columns. */
async function* rowsIn(
  { at, realmId, check }: RealmCopy,
  table: CopiedTable,
  columns: string[],
  only = sql`true`,
) {
  const list = sql.join(columns.map((column) => sql.ref(column)))
  const query = sql<{ row: string }>`SELECT to_json(x)::text AS row FROM (
    SELECT ${list} FROM ${sql.table(table.name)} WHERE ${ownColumn(table)} = ${realmId} AND ${only}) AS x`
  for await (const rows of at.portions(query, rowsPerCopy)) {
    check()
    yield `[${rows.map(({ row }) => row).join()}]`
  }
}

function ownColumn({ name }: CopiedTable) {
  return sql.ref(name === 'realm' ? 'id' : 'realm_id')
}

async function insert({ trx }: RealmCopy, { name, columns, key, isReferenced }: CopiedTable, rows: string) {
  const list = sql.join(columns.map((column) => sql.ref(column)))
  const others = columns.filter((column) => !key.includes(column))
  const values = others.map((column) => sql`${sql.ref(column)} = excluded.${sql.ref(column)}`)
  // Deleting such a row first would delete the rows that refer to it.
  const again = sql`ON CONFLICT (${sql.join(key.map((column) => sql.ref(column)))}) DO UPDATE SET ${sql.join(values)}`
  await sql`INSERT INTO ${sql.table(name)} (${list}) OVERRIDING SYSTEM VALUE
    SELECT ${list} FROM ${recordset(name, rows)} ${isReferenced ? again : sql``}`.execute(trx)
}

async function deleteSame({ trx }: RealmCopy, table: CopiedTable, rows: string) {
  await sql`DELETE FROM ${sql.table(table.name)} t USING ${recordset(table.name, rows)} WHERE ${sameKey(table)}`.execute(
    trx,
  )
}

/** Deletes the rows of the copy that the source no longer has. */
async function removeGone(copy: RealmCopy, table: CopiedTable) {
  const parts: string[] = []
  for await (const rows of rowsIn(copy, table, table.key)) parts.push(rows.slice(1, -1))
  const keys = `[${parts.join()}]`
  await sql`DELETE FROM ${sql.table(table.name)} t WHERE ${ownColumn(table)} = ${copy.realmId}
    AND NOT EXISTS (SELECT FROM ${recordset(table.name, keys)} WHERE ${sameKey(table)})`.execute(copy.trx)
}

function recordset(name: string, rows: string) {
  return sql`json_populate_recordset(null::${sql.table(name)}, ${rows}::json) AS x`
}

function sameKey({ key }: CopiedTable) {
  return sql.join(
    key.map((column) => sql`t.${sql.ref(column)} = x.${sql.ref(column)}`),
    sql` AND `,
  )
}
