import { type RawBuilder, sql } from 'kysely'
import { type TableShape, tableShapes } from '../../../db/catalog.ts'
import type { LongReader } from '../../../db/database.ts'
import { firstIn, must } from '../../../lib/must.ts'
import { exportReadLimits } from '../kernel/exports/limits.ts'
import type { Scope } from './scope.ts'
import { type TablePlan, tablePlans } from './tables.ts'

/** A table in an export. */
type TableFile = {
  name: string
  columns: string[]
  rows: number
  /** The size of its file. */
  bytes: number
  /** The highest number in each column that is filled from a sequence. */
  highest: Record<string, number>
}

/** A table that belongs to an export, and the query for its rows. */
export type TableRows = { file: TableFile; query: RawBuilder<{ line: string }> }

/**
 * Returns the tables of an export in an order in which they can be imported, with their row counts and sizes, because
 * an archive states the size of a file before its content. Counts and content come from one snapshot, so they match.
 */
export async function tablesOf(read: LongReader, realmId: number, scope: Scope): Promise<TableRows[]> {
  const tables: TableRows[] = []
  for (const shape of await tableShapes(read)) {
    const plan = planOf(shape.name)
    if ('never' in plan || ('fullOnly' in plan && scope.name !== 'full')) continue
    const columns = columnsOf(shape, plan, scope)
    const query = rowsQuery(shape, plan, columns, realmId, scope)
    tables.push({ file: await measure(read, shape, columns, query), query })
  }
  return tables
}

/** Yields the content of a table's file: one row per line, as JSON. */
export async function* exportedContent(read: LongReader, { query }: TableRows): AsyncIterable<Buffer> {
  for await (const rows of read.portions(query, exportReadLimits.exportPortion)) {
    yield Buffer.from(rows.map(({ line }) => `${line}\n`).join(''))
  }
}

function planOf(table: string): TablePlan {
  const plan = (tablePlans as Record<string, TablePlan>)[table]
  if (!plan) throw new Error(`Nobody has decided whether ${table} is exported.`)
  return plan
}

/** The manifest contains the organization's id once. */
function columnsOf({ name, columns }: TableShape, plan: TablePlan, scope: Scope): string[] {
  const secret = 'secret' in plan && scope.name !== 'full' ? (plan.secret ?? []) : []
  const own = name === 'realm' ? 'id' : 'realm_id'
  return columns.filter((column) => column !== own && !secret.includes(column))
}

function rowsQuery(
  { name, key }: TableShape,
  plan: TablePlan,
  columns: string[],
  realmId: number,
  scope: Scope,
): RawBuilder<{ line: string }> {
  const values = columns.map((column) => sql`${valueIn(column, plan, scope)} AS ${sql.ref(column)}`)
  const order = key.map((column) => sql`t.${sql.ref(column)}`)
  const own = sql.ref(name === 'realm' ? 'id' : 'realm_id')
  return sql`SELECT row_to_json(x)::text AS line FROM (
    SELECT ${sql.join(values)} FROM ${sql.table(name)} t
    WHERE t.${own} = ${realmId} AND (${conditionOf(plan, scope)}) ORDER BY ${sql.join(order)}) AS x`
}

function valueIn(column: string, plan: TablePlan, scope: Scope): RawBuilder<unknown> {
  const own = sql`t.${sql.ref(column)}`
  if ('fullOnly' in plan) return plan.fullInstead?.[column] ?? own
  return ('instead' in plan && scope.name !== 'full' && plan.instead?.[column]?.(scope)) || own
}

function conditionOf(plan: TablePlan, scope: Scope): RawBuilder<unknown> {
  if (scope.name === 'full') return ('fullRows' in plan && plan.fullRows) || sql`true`
  return 'rows' in plan ? plan.rows(scope) : sql`false`
}

async function measure(
  read: LongReader,
  { name, sequences }: TableShape,
  columns: string[],
  query: RawBuilder<{ line: string }>,
): Promise<TableFile> {
  const numbered = sequences.map(({ column }) => column).filter((column) => columns.includes(column))
  const highest = numbered.map(
    (column) =>
      sql`, coalesce(max((line::json ->> ${column})::bigint), 0) AS ${sql.ref(`highest_${column}`)}`,
  )
  const found = firstIn(
    await read.rows(sql<Record<string, number>>`
    SELECT count(*) AS rows, coalesce(sum(octet_length(line) + 1), 0)::bigint AS bytes ${sql.join(highest, sql``)}
    FROM (${query}) AS lines`),
  )
  return {
    name,
    columns,
    rows: must(found.rows, 'count of rows'),
    bytes: must(found.bytes, 'count of bytes'),
    highest: Object.fromEntries(numbered.map((column) => [column, found[`highest_${column}`] ?? 0])),
  }
}
