export type KeyPart = number | string

/** The columns that tell the rows of a table apart: one, or two. */
export type KeyColumns = readonly [string, string?]

/** The rows that a look-up has found. If `version` is the same again, so are the rows. */
export type Found<Row> = Iterable<Row> & { readonly size: number; readonly version: number }

/**
 * Rows in groups by name, such as those of each user. A group is an array in the order of the table's key, in which a row is
 * found by binary search. A Set for each group would take three times the memory.
 */
export class RowGroups<Row extends object> {
  private readonly groups = new Map<KeyPart, OneRow<Row> | SortedRows<Row>>()
  private readonly order: KeyOrder

  constructor(columns: KeyColumns) {
    this.order = new KeyOrder(columns)
  }

  find(name: KeyPart): Found<Row> {
    return this.groups.get(name) ?? noRows
  }

  /** Returns the row of a group that has this key. */
  get(name: KeyPart, first: KeyPart, second: KeyPart | undefined): Row | undefined {
    return this.groups.get(name)?.get(this.order, first, second)
  }

  /** Puts a row into a group, and returns the row with the same key that it replaces, if any. */
  put(name: KeyPart, row: Row, version: number): Row | undefined {
    const group = this.groups.get(name)
    if (group === undefined) {
      this.groups.set(name, new OneRow(row, version))
      return undefined
    }
    if (group instanceof SortedRows) return group.put(this.order, row, version)
    const rows = new SortedRows([group.row])
    const before = rows.put(this.order, row, version)
    this.groups.set(name, before ? new OneRow(row, version) : rows)
    return before
  }

  /** Adds a row whose key comes after those of all rows in the group. */
  append(name: KeyPart, row: Row, version: number) {
    const group = this.groups.get(name)
    if (group instanceof SortedRows) group.append(row, version)
    else if (group?.row !== row)
      this.groups.set(name, group ? new SortedRows([group.row, row], version) : new OneRow(row, version))
  }

  delete(name: KeyPart, row: Row, version: number) {
    const group = this.groups.get(name)
    if (group instanceof SortedRows) group.delete(this.order, row, version)
    if (group?.size === 0 || group instanceof OneRow) this.groups.delete(name)
  }

  *values(): IterableIterator<Row> {
    for (const group of this.groups.values()) yield* group
  }
}

/** The order of a table's rows: that of the values of its key columns. */
export class KeyOrder {
  private readonly first: string
  private readonly second: string | undefined

  constructor([first, second]: KeyColumns) {
    this.first = first
    this.second = second
  }

  firstOf(row: object): KeyPart {
    return (row as Record<string, KeyPart>)[this.first]!
  }

  /** Undefined if the key has one column. */
  secondOf(row: object): KeyPart | undefined {
    return this.second === undefined ? undefined : (row as Record<string, KeyPart>)[this.second]
  }

  /** Compares a row with a key: negative if the row comes first, 0 if it has this key. */
  compare(row: object, first: KeyPart, second: KeyPart | undefined): number {
    const ownFirst = this.firstOf(row)
    if (ownFirst !== first) return ownFirst < first ? -1 : 1
    const ownSecond = this.secondOf(row)
    return ownSecond === second ? 0 : ownSecond! < second! ? -1 : 1
  }
}

/** The only row of a group, as in most groups of most tables: an array of one would take several times the memory. */
export class OneRow<Row extends object> {
  readonly size = 1
  readonly row: Row
  readonly version: number

  constructor(row: Row, version: number) {
    this.row = row
    this.version = version
  }

  [Symbol.iterator](): IterableIterator<Row> {
    return [this.row].values()
  }

  get(order: KeyOrder, first: KeyPart, second: KeyPart | undefined): Row | undefined {
    return order.compare(this.row, first, second) === 0 ? this.row : undefined
  }
}

/** Rows in any order. */
export class RowList<Row extends object> {
  version: number
  protected readonly rows: Row[]

  constructor(rows: Row[], version = 0) {
    this.rows = rows
    this.version = version
  }

  get size(): number {
    return this.rows.length
  }

  [Symbol.iterator](): IterableIterator<Row> {
    return this.rows.values()
  }
}

class SortedRows<Row extends object> extends RowList<Row> {
  get(order: KeyOrder, first: KeyPart, second: KeyPart | undefined): Row | undefined {
    const row = this.rows[this.positionOf(order, first, second)]
    return row && order.compare(row, first, second) === 0 ? row : undefined
  }

  /** Puts a row, and returns the row with the same key that it replaces, if any. */
  put(order: KeyOrder, row: Row, version: number): Row | undefined {
    this.version = version
    const first = order.firstOf(row)
    const second = order.secondOf(row)
    const position = this.positionOf(order, first, second)
    const there = this.rows[position]
    if (there && order.compare(there, first, second) === 0) {
      this.rows[position] = row
      return there
    }
    if (there) this.rows.splice(position, 0, row)
    else this.rows.push(row)
    return undefined
  }

  append(row: Row, version: number) {
    if (this.rows[this.rows.length - 1] === row) return
    this.version = version
    this.rows.push(row)
  }

  delete(order: KeyOrder, row: Row, version: number) {
    this.version = version
    const position = this.positionOf(order, order.firstOf(row), order.secondOf(row))
    if (this.rows[position] === row) this.rows.splice(position, 1)
  }

  /** Returns the index of the row with this key, or the index where it belongs. New rows mostly belong after all others. */
  private positionOf(order: KeyOrder, first: KeyPart, second: KeyPart | undefined): number {
    const { rows } = this
    let [from, to] = [0, rows.length]
    if (to > 0 && order.compare(rows[to - 1]!, first, second) < 0) return to
    while (from < to) {
      const middle = (from + to) >>> 1
      if (order.compare(rows[middle]!, first, second) < 0) from = middle + 1
      else to = middle
    }
    return from
  }
}

const noRows: Found<never> = new RowList<never>([])
