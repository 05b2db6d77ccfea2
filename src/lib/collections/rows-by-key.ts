import { type KeyColumns, KeyOrder, type KeyPart, RowGroups } from './row-groups.ts'

/** Rows by the one column of their key. */
export class RowsByKey<Row extends object> {
  private readonly rows = new Map<KeyPart, Row>()
  private readonly order: KeyOrder

  constructor(columns: KeyColumns) {
    this.order = new KeyOrder(columns)
  }

  get size(): number {
    return this.rows.size
  }

  /** The second part is for tables whose key has two. */
  get(key: KeyPart, _?: KeyPart): Row | undefined {
    return this.rows.get(key)
  }

  withKeyOf(row: Row): Row | undefined {
    return this.rows.get(this.order.firstOf(row))
  }

  /** Returns the row that had this key before. */
  put(row: Row): Row | undefined {
    const before = this.withKeyOf(row)
    this.rows.set(this.order.firstOf(row), row)
    return before
  }

  append(row: Row) {
    this.rows.set(this.order.firstOf(row), row)
  }

  delete(row: Row) {
    this.rows.delete(this.order.firstOf(row))
  }

  values(): IterableIterator<Row> {
    return this.rows.values()
  }
}

/** Rows by the two columns of their key: in groups by the first of them, which can be looked up as well. */
export class RowsByPair<Row extends object> {
  readonly groups: RowGroups<Row>
  private readonly order: KeyOrder
  private count = 0

  constructor(columns: KeyColumns) {
    this.groups = new RowGroups(columns)
    this.order = new KeyOrder(columns)
  }

  get size(): number {
    return this.count
  }

  get(first: KeyPart, second: KeyPart | undefined): Row | undefined {
    return this.groups.get(first, first, second)
  }

  withKeyOf(row: Row): Row | undefined {
    return this.get(this.order.firstOf(row), this.order.secondOf(row))
  }

  /** Returns the row that had this key before. */
  put(row: Row, version: number): Row | undefined {
    const before = this.groups.put(this.order.firstOf(row), row, version)
    if (!before) this.count += 1
    return before
  }

  append(row: Row, version: number) {
    this.count += 1
    this.groups.append(this.order.firstOf(row), row, version)
  }

  delete(row: Row, version: number) {
    this.count -= 1
    this.groups.delete(this.order.firstOf(row), row, version)
  }

  values(): IterableIterator<Row> {
    return this.groups.values()
  }
}
