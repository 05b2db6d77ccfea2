import type { Rows } from '../../db/schema.ts'

/** How the audit log treats the rows of a table. Every column is in one of these lists, or is `id`. */
type Plan<Column extends string, Row extends object> = {
  /** The kind of object that entries are about, and the column with its id. Without the column, the object is the organization. */
  object: string
  id?: Column
  /** The column that names the object, unless it is a user, a channel or a group. */
  name?: Column
  /** The first word of the kinds, by default the object. */
  topic?: string
  /** The second word of the kinds, by what happens to a row. Without a word, that is not recorded. */
  words: { create?: string; update?: string; delete?: string }
  /** The words for an update that fills a column or sets it to true (`on`), or empties it or sets it to false (`off`). */
  turn?: { column: Column; on: string; off: string }
  /** Columns whose values are recorded. */
  kept: Column[]
  /** Columns of `kept` that are in each entry, changed or not. */
  always?: Column[]
  /** Columns of which the entry says that they changed, but not their values. */
  secret?: Column[]
  /** Columns that are not recorded, as they do not concern administrators. */
  ignored?: Column[]
  /** The column with a user's id: rows of the acting user are not recorded, nor those of a user who is created in the same change. */
  exceptOwn?: Column
  /** For rows that say that something is a member of the object: one entry lists the members, from this column, that a change adds or removes. */
  members?: { column: Column; as: string; isIn?(row: Row): boolean }
}

/** The plan of one table. */
export type Audited<T extends keyof Rows> = Plan<Exclude<keyof Rows[T] & string, 'realm_id'>, Rows[T]>

/** The plan of any table. */
export type AuditPlan = Plan<string, object>
