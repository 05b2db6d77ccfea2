import type { Rows } from '../db/schema.ts'
import type { Change } from './change.ts'
import type { RealmState } from './realm-state.ts'
import type { StateTable } from './state-tables.ts'

type Row<T extends StateTable> = Rows[T]

/** A row before and after: null before it was inserted, and after it was deleted. */
type RowChange<T extends StateTable> =
  | { before: Row<T> | null; after: Row<T> }
  | { before: Row<T>; after: null }

/** The rows that a change has written since its consequences were last applied. */
export type RowChanges = {
  change: Change
  /** The state without these row changes, and with them. Neither may be kept. */
  before: RealmState
  after: RealmState
  /** The rows of a table that differ, in the order in which they were first written. */
  rows<T extends StateTable>(table: T): RowChange<T>[]
}

/**
 * A rule that applies to changed rows, whichever operation changes them. Features register their consequences in index.ts, and every Change
 * applies them, so an operation that writes a row cannot forget what must follow.
 *
 * `emit` runs before the next event that the operation emits itself, or at the end: clients learn of the rows first, and then of what the
 * operation says about them. `write` runs at the end, and may write further rows, which have their own consequences. `emitLast` runs once,
 * after everything else.
 *
 * `prepare` runs before an `emit` at the end, with the same rows. It may take long, and works in slices of the event loop's time.
 */
export type Consequence = {
  /** The tables to whose rows it applies. */
  of: readonly StateTable[]
  prepare?(rowChanges: RowChanges): Promise<void>
  emit?(rowChanges: RowChanges): void
  write?(rowChanges: RowChanges): Promise<void>
  emitLast?(rowChanges: RowChanges): void
}

/** Rows that a change has written and whose consequences are due. */
export class DueRows {
  private readonly keys = new Map<string, [table: StateTable, key: number | string]>()
  private readonly state: RealmState
  /** The state with the settled rows, so that each difference is seen once. */
  private before: RealmState
  private settled: Due[] = []

  constructor(state: RealmState) {
    this.state = state
    this.before = state
  }

  add(table: StateTable, key: number | string) {
    this.keys.set(`${table} ${key}`, [table, key])
  }

  /** Returns the rows whose consequences are due; undefined if there are none. Settle them before the next call. */
  take(change: Change): Due | undefined {
    if (this.keys.size === 0) return undefined
    this.moveOn()
    const { before } = this
    const after = change.next
    const changed = [...this.keys.values()]
      .map(([table, key]) => ({
        table,
        key,
        before: before.rowIn(table, key),
        after: after.rowIn(table, key),
      }))
      .filter((row) => row.before !== row.after)
    this.keys.clear()
    const rows = <T extends StateTable>(table: T) =>
      changed.filter((row) => row.table === table) as unknown as RowChange<T>[]
    const tables = new Set(changed.map(({ table }) => table))
    return { rowChanges: { change, before, after, rows }, tables, changed }
  }

  /** Marks the consequences of these rows as applied. */
  settle(due: Due) {
    this.settled.push(due)
  }

  /** Moves settled rows into `before`. This waits until more rows follow, as in most changes none do. */
  private moveOn() {
    if (this.settled.length === 0) return
    if (this.before === this.state) this.before = this.state.draft()
    for (const { changed } of this.settled) {
      for (const { table, key, after } of changed) this.before.put([table, key, after])
    }
    this.settled = []
  }
}

type Due = {
  rowChanges: RowChanges
  tables: ReadonlySet<StateTable>
  changed: { table: StateTable; key: number | string; after: object | null }[]
}

/** Returns the consequences that apply to any of these rows. */
export function consequencesOf(consequences: readonly Consequence[], { tables }: Due): Consequence[] {
  return consequences.filter(({ of }) => of.some((table) => tables.has(table)))
}
