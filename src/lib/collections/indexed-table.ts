import { type Found, type KeyColumns, type KeyPart, OneRow, RowGroups, RowList } from './row-groups.ts'
import { RowsByKey, RowsByPair } from './rows-by-key.ts'

type LookUp<Row> = (name: KeyPart) => Found<Row>

/**
 * Rows by key, with any number of further indexes that follow every change. An index names the groups that a row is
 * in: none, one, or several. A table may be a layer over another one, its base: it then shows the base's rows with
 * its own changes to them, and leaves the base as it is.
 */
export class IndexedTable<Row extends object, Key extends readonly KeyPart[] = [KeyPart]> {
  private readonly name: string
  private readonly columns: KeyColumns
  private readonly rows: RowsByKey<Row> | RowsByPair<Row>
  private readonly indexes: Index<Row>[] = []
  private readonly lookUps: LookUp<Row>[] = []
  private readonly base: IndexedTable<Row, Key> | undefined
  /** Rows of the base that do not show: replaced here, or deleted. */
  private readonly covered = new Set<Row>()
  private changes = 0

  /** `name`: for errors. A layer must declare the same indexes as its base, in the same order. */
  constructor(name: string, columns: KeyColumns, base?: IndexedTable<Row, Key>) {
    this.name = name
    this.columns = columns
    this.rows = columns[1] === undefined ? new RowsByKey(columns) : new RowsByPair(columns)
    this.base = base
  }

  /** Adds an index before the first row is added; returns its look-up. */
  index(namesOf: (row: Row) => Names): LookUp<Row> {
    const groups = new RowGroups<Row>(this.columns)
    this.indexes.push({ namesOf, groups })
    return this.lookUpIn(groups)
  }

  /** Returns the look-up of rows by the first of two key columns, for which the rows need no further index. */
  byFirst(): LookUp<Row> {
    if (this.rows instanceof RowsByKey) throw new Error(`the key of ${this.name} has one column`)
    return this.lookUpIn(this.rows.groups)
  }

  /** Returns the look-up by an index in which each group has at most one row. */
  uniqueIndex(nameOf: (row: Row) => KeyPart | null): (name: KeyPart) => Row | undefined {
    const find = this.index(nameOf)
    return (name) => {
      const found = find(name)
      return found instanceof OneRow ? found.row : first(found)
    }
  }

  get(...key: Key): Row | undefined {
    const own = this.rows.get(key[0]!, key[1])
    if (own || !this.base) return own
    const beneath = this.base.get(...key)
    return beneath && this.covered.has(beneath) ? undefined : beneath
  }

  /** Returns a row that must exist. */
  require(...key: Key): Row {
    const row = this.get(...key)
    if (!row) throw new Error(`${this.name} has no row ${key.join(':')}`)
    return row
  }

  get size(): number {
    return this.rows.size + (this.base ? this.base.size - this.covered.size : 0)
  }

  /** A number that rises with every change: if it is the same again, so are the rows. */
  get version(): number {
    return this.changes + (this.base?.version ?? 0)
  }

  values(): IterableIterator<Row> {
    return this.base ? this.layeredValues(this.base) : this.rows.values()
  }

  put(row: Row) {
    this.cover(this.base?.withKeyOf(row))
    this.changes += 1
    const before = this.rows.put(row, this.changes)
    for (const { namesOf, groups } of this.indexes) {
      const names = namesOf(row)
      if (before) this.leave(groups, before, namesOf(before), names)
      if (Array.isArray(names)) for (const name of names) groups.put(name, row, this.changes)
      else if (names !== null) groups.put(names, row, this.changes)
    }
  }

  /** Adds a row whose key is higher than that of any other row, as when rows are read in order. It need not look for a row to replace. */
  append(row: Row) {
    this.changes += 1
    this.rows.append(row, this.changes)
    for (const { namesOf, groups } of this.indexes) {
      const names = namesOf(row)
      if (Array.isArray(names)) for (const name of names) groups.append(name, row, this.changes)
      else if (names !== null) groups.append(names, row, this.changes)
    }
  }

  delete(...key: Key) {
    this.cover(this.base?.get(...key))
    const row = this.rows.get(key[0]!, key[1])
    if (!row) return
    this.changes += 1
    this.rows.delete(row, this.changes)
    for (const { namesOf, groups } of this.indexes) this.leave(groups, row, namesOf(row), null)
  }

  private withKeyOf(row: Row): Row | undefined {
    const own = this.rows.withKeyOf(row)
    if (own || !this.base) return own
    const beneath = this.base.withKeyOf(row)
    return beneath && this.covered.has(beneath) ? undefined : beneath
  }

  private cover(beneath: Row | undefined) {
    if (!beneath || this.covered.has(beneath)) return
    this.changes += 1
    this.covered.add(beneath)
  }

  /** Removes a row from those of its groups in which it does not stay. */
  private leave(groups: RowGroups<Row>, row: Row, names: Names, staysIn: Names) {
    const stays = list(staysIn)
    for (const name of list(names)) if (!stays.includes(name)) groups.delete(name, row, this.changes)
  }

  private lookUpIn(groups: RowGroups<Row>): LookUp<Row> {
    const beneath = this.base?.lookUps[this.lookUps.length]
    const find = beneath ? this.layeredLookUp(groups, beneath) : (name: KeyPart) => groups.find(name)
    this.lookUps.push(find)
    return find
  }

  /** The combination of two layers is cached until either changes. */
  private layeredLookUp(own: RowGroups<Row>, beneath: LookUp<Row>): LookUp<Row> {
    const known = new Map<KeyPart, Found<Row>>()
    let version = -1
    return (name) => {
      if (version !== this.version) known.clear()
      version = this.version
      const rows = known.get(name) ?? this.layered(own.find(name), beneath(name))
      known.set(name, rows)
      return rows
    }
  }

  private layered(own: Found<Row>, beneath: Found<Row>): Found<Row> {
    if (this.covered.size === 0) return own.size === 0 ? beneath : new TwoLayers(beneath, own, this.version)
    const shown = [...beneath].filter((row) => !this.covered.has(row))
    return new RowList([...shown, ...own], this.version)
  }

  private *layeredValues(base: IndexedTable<Row, Key>): IterableIterator<Row> {
    for (const row of base.values()) if (!this.covered.has(row)) yield row
    yield* this.rows.values()
  }
}

/** The rows of a base, which may be very many, and those that a layer adds. */
class TwoLayers<Row> {
  readonly size: number
  readonly version: number
  private readonly beneath: Found<Row>
  private readonly own: Found<Row>

  constructor(beneath: Found<Row>, own: Found<Row>, version: number) {
    this.size = beneath.size + own.size
    this.version = version
    this.beneath = beneath
    this.own = own
  }

  *[Symbol.iterator](): IterableIterator<Row> {
    yield* this.beneath
    yield* this.own
  }
}

/** The groups that a row is in: none, one, or several. */
type Names = KeyPart | KeyPart[] | null

type Index<Row extends object> = { namesOf: (row: Row) => Names; groups: RowGroups<Row> }

function list(names: Names): KeyPart[] {
  return names === null ? [] : Array.isArray(names) ? names : [names]
}

function first<T>(items: Iterable<T>): T | undefined {
  for (const item of items) return item
  return undefined
}
