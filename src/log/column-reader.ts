import { type RawBuilder, sql } from 'kysely'
import type { Reader } from '../db/database.ts'
import { firstIn } from '../lib/must.ts'
import type { StateRow } from './state-tables.ts'

/** A value of a column of flags. */
type Flag = boolean | null

/** At least this fraction of the rows have the same flag in a column that is not read. */
const usualPart = 0.98

/**
 * Reads the rows of a large table after the first ones by columns: each as one list of values. A column in which nearly all rows have the
 * same flag is not read; the few rows with another flag are read as a whole. For subscriptions, that is an eighth of the text, and two
 * thirds of the work for PostgreSQL. Rows with equal JSON, such as settings, share one value.
 */
export class ColumnReader {
  private readonly key: readonly string[]
  /** A row with the usual flags. */
  private readonly usual: StateRow
  private readonly columns: string[]
  /** Columns of objects or lists. */
  private readonly jsonColumns: ReadonlySet<string>
  /** The JSON columns in which many rows have the same value. */
  private readonly sharedColumns: ReadonlySet<string>
  private readonly isUnusual: RawBuilder<unknown>

  /** `rows`: the first rows, which suggest which flags are usual. */
  constructor(key: readonly string[], rows: StateRow[]) {
    const names = Object.keys(firstIn(rows))
    const flags = new Map<string, Flag>()
    for (const name of names) {
      const flag = usualFlag(rows.map((row) => row[name]))
      if (flag !== undefined) flags.set(name, flag)
    }
    this.key = key
    this.usual = { ...firstIn(rows), ...Object.fromEntries(flags) }
    this.columns = names.filter((name) => name !== 'realm_id' && !flags.has(name))
    this.jsonColumns = new Set(this.columns.filter((name) => rows.some((row) => isJson(row[name]))))
    this.sharedColumns = new Set([...this.jsonColumns].filter((name) => areShared(rows, name)))
    const others = [...flags].map(([name, flag]) => sql`${sql.ref(name)} IS NOT ${sql.lit(flag)}`)
    this.isUnusual = others.length > 0 ? sql.join(others, sql` OR `) : sql`false`
  }

  /** Returns the rows of a query for a portion of the table, in its order. */
  async read(read: Reader, portion: RawBuilder<unknown>): Promise<StateRow[]> {
    const lists = this.columns.map((name) => this.listOf(name))
    const [found] = await read.rows(sql<{ lists: unknown[][]; unusual: StateRow[] }>`
      SELECT json_build_array(${sql.join(lists)}) AS lists,
        coalesce(json_agg(one) FILTER (WHERE ${this.isUnusual}), '[]') AS unusual
      FROM (${portion}) AS one HAVING count(*) > 0`)
    return found ? this.withUnusual(this.rowsFrom(found.lists), found.unusual) : []
  }

  private listOf(name: string): RawBuilder<unknown> {
    const column = sql.ref(name)
    if (this.sharedColumns.has(name)) return sql`to_json(array_agg(to_json(${column})::text))`
    // PostgreSQL has no arrays of lists of different lengths. For plain values, an array takes half the time of json_agg.
    return this.jsonColumns.has(name) ? sql`json_agg(${column})` : sql`to_json(array_agg(${column}))`
  }

  private rowsFrom(lists: unknown[][]): StateRow[] {
    const rows = firstIn(lists).map(() => ({ ...this.usual }))
    for (const [i, name] of this.columns.entries()) {
      const list = lists[i] as unknown[]
      const values = this.sharedColumns.has(name) ? parseShared(list as (string | null)[]) : list
      rows.forEach((row, n) => {
        row[name] = values[n]
      })
    }
    return rows
  }

  /** Replaces rows by those that were read as a whole. Both lists are in the order of the keys. */
  private withUnusual(rows: StateRow[], unusual: StateRow[]): StateRow[] {
    let next = 0
    return rows.map((row) => {
      const other = unusual[next]
      if (!other || this.key.some((column) => other[column] !== row[column])) return row
      next += 1
      return other
    })
  }
}

/** Returns the flag that nearly all of the values have; undefined if there is none. */
function usualFlag(values: unknown[]): Flag | undefined {
  return [null, false, true].find(
    (flag) => values.filter((value) => value === flag).length >= usualPart * values.length,
  )
}

function isJson(value: unknown): boolean {
  return typeof value === 'object' && value !== null
}

/** Whether at most half of the values in a column differ from all others. */
function areShared(rows: StateRow[], name: string): boolean {
  return new Set(rows.map((row) => JSON.stringify(row[name]))).size <= rows.length / 2
}

/** Parses JSON texts. Equal texts share one value. */
function parseShared(texts: (string | null)[]): unknown[] {
  const known = new Map<string, unknown>()
  return texts.map((text) => {
    if (text === null) return null
    const value = known.get(text) ?? JSON.parse(text)
    known.set(text, value)
    return value
  })
}
