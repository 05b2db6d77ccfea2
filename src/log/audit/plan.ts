import type { Rows } from '../../db/schema.ts'

type Column<T extends keyof Rows> = Exclude<keyof Rows[T] & string, 'realm_id'>

/** How the audit log treats the rows of a table. Every column is in one of these lists, or is `id`. */
export type Audited<T extends keyof Rows> = {
  /** The kind of object that entries are about, and the column of its id. Without the column, it is the organization. */
  object: string
  id?: Column<T>
  /** The column that names the object, unless it is a user, a channel or a group. */
  name?: Column<T>
  /** The first word of the kinds, by default the object. */
  topic?: string
  /** The second word, by what happens to a row. Without a word, it is not recorded. */
  words: { create?: string; update?: string; delete?: string }
  /** The word for an update that fills or empties a column (or sets it to true or false). */
  turn?: { column: Column<T>; on: string; off: string }
  /** Columns whose values are recorded, those of them that stand in each entry, changed or not. */
  kept: Column<T>[]
  always?: Column<T>[]
  /** Columns of which only the change is recorded. */
  secret?: Column<T>[]
  /** Columns that concern no administrator. */
  left?: Column<T>[]
  /** Rows of the acting user are not recorded, nor are those of a user who comes into being in the same change. */
  exceptOwn?: Column<T>
  /** Rows that mean that another thing is in the object: one entry lists those of a change. */
  members?: { column: Column<T>; as: string; isIn?(row: Rows[T]): boolean }
}

/** A plan for any table, whose columns are plain texts. */
export type AuditPlan = {
  object: string
  id?: string
  name?: string
  topic?: string
  words: { create?: string; update?: string; delete?: string }
  turn?: { column: string; on: string; off: string }
  kept: string[]
  always?: string[]
  secret?: string[]
  left?: string[]
  exceptOwn?: string
  members?: { column: string; as: string; isIn?(row: object): boolean }
}
