import { type RawBuilder, sql } from 'kysely'
import { firstIn } from '../lib/must.ts'
import type { Reader } from './database.ts'

/** A query, and the function that makes a value of its rows. Several selections can be read by one statement. */
export type Selection<T> = {
  query: RawBuilder<unknown>
  take(rows: readonly never[]): T
}

/** Declares a selection. The columns of its query must have types that JSON has: numbers, texts, booleans, JSON, and lists of these. */
export function selection<Row, T>(query: RawBuilder<Row>, take: (rows: readonly Row[]) => T): Selection<T> {
  return { query, take: take as Selection<T>['take'] }
}

/** Declares a selection whose query returns exactly one row. */
export function selectionOfOne<Row, T>(query: RawBuilder<Row>, take: (row: Row) => T): Selection<T> {
  return selection(query, (rows) => take(firstIn(rows)))
}

export async function readSelection<T>(read: Reader, { query, take }: Selection<T>): Promise<T> {
  return take((await read.rows(query)) as never[])
}

/**
 * Reads several selections as of one moment, by one statement: separate statements would take the server and PostgreSQL longer than most
 * of the queries themselves. Returns the rows of each. With a name the statement is prepared; then it must have few forms.
 */
export async function readTogether(
  read: Reader,
  selections: readonly Selection<unknown>[],
  name?: string,
): Promise<never[][]> {
  const lists = selections.map(
    ({ query }) => sql`(SELECT coalesce(json_agg(found), '[]') FROM (${query}) AS found)`,
  )
  const statement = sql<{ lists: never[][] }>`SELECT json_build_array(${sql.join(lists)}) AS lists`
  const found = await (name ? read.prepared<{ lists: never[][] }>(name, statement) : read.rows(statement))
  return firstIn(found).lists
}
