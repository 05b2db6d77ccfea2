import type { Rows } from '../../db/schema.ts'

/** How the audit log treats the rows of a table. Every column is in one of these lists, or is `id`. */
type Plan<Column extends string, Row extends object> = {
  /** The kind of object that entries are about, and the column of its id. Without the column, it is the organization. */
  object: string
  id?: Column
  /** The column that names the object, unless it is a user, a channel or a group. */
  name?: Column
  /** The first word of the kinds, by default the object. */
  topic?: string
  /** The second word, by what happens to a row. Without a word, it is not recorded. */
  words: { create?: string; update?: string; delete?: string }
  /** The word for an update that fills or empties a column (or sets it to true or false). */
  turn?: { column: Column; on: string; off: string }
  /** Columns whose values are recorded. */
  kept: Column[]
  /** Columns of `kept` that stand in each entry, changed or not. */
  always?: Column[]
  /** Columns of which only the change is recorded. */
  secret?: Column[]
  /** Columns that concern no administrator. */
  ignored?: Column[]
  /** Rows of the acting user are not recorded, nor are those of a user who comes into being in the same change. */
  exceptOwn?: Column
  /** Rows that mean that another thing is in the object: one entry lists those of a change. */
  members?: { column: Column; as: string; isIn?(row: Row): boolean }
}

/** The plan of one table. */
export type Audited<T extends keyof Rows> = Plan<Exclude<keyof Rows[T] & string, 'realm_id'>, Rows[T]>

/** The plan of any table. */
export type AuditPlan = Plan<string, object>
