type Key = number | string

/**
 * Rows by key, with any number of further indexes that follow every change. An index names the keys a row is found
 * under: none, one, or several. A table may be a layer over another one, its base: it then shows the base's rows with
 * its own changes to them, and leaves the base as it is.
 */
export class IndexedTable<Row extends object> {
  private readonly name: string
  private readonly rows = new Map<Key, Row>()
  private readonly indexes: Index<Row>[] = []
  private readonly keyOf: (row: Row) => Key
  private readonly base: IndexedTable<Row> | undefined
  /** Keys whose rows in the base do not show: replaced here, or deleted. */
  private readonly covered = new Set<Key>()
  private changes = 0

  /** `name`: for errors. A layer must declare the same indexes as its base, in the same order. */
  constructor(name: string, keyOf: (row: Row) => Key, base?: IndexedTable<Row>) {
    this.name = name
    this.keyOf = keyOf
    this.base = base
  }

  /** Adds an index before the first row is added; returns its look-up. */
  index(keysOf: (row: Row) => Key | Key[] | null): (key: Key) => Found<Row> {
    const index: Index<Row> = { keysOf, entries: new Map() }
    const beneath = this.base?.indexes[this.indexes.length]
    this.indexes.push(index)
    const found = new Map<Key, Found<Row>>()
    let version = -1
    index.find = (key) => {
      const own = index.entries.get(key) ?? empty
      if (!beneath) return own
      // The combination of two layers is cached until either changes.
      if (version !== this.version) found.clear()
      version = this.version
      const rows = found.get(key) ?? this.layered(own, beneath.find!(key))
      found.set(key, rows)
      return rows
    }
    return index.find
  }

  /** Returns the look-up by an index under which each key has at most one row. */
  uniqueIndex(keyOf: (row: Row) => Key | null): (key: Key) => Row | undefined {
    const find = this.index(keyOf)
    return (key) => {
      const found = find(key)
      return found instanceof OneRow ? found.row : first(found)
    }
  }

  get(key: Key): Row | undefined {
    return this.rows.get(key) ?? (this.covered.has(key) ? undefined : this.base?.get(key))
  }

  /** Returns a row that must exist. */
  require(key: Key): Row {
    const row = this.get(key)
    if (!row) throw new Error(`${this.name} has no row ${key}`)
    return row
  }

  get size(): number {
    return this.rows.size + (this.base ? this.base.size - this.covered.size : 0)
  }

  /** Rises with every change: while it is the same, the rows are the same. */
  get version(): number {
    return this.changes + (this.base?.version ?? 0)
  }

  values(): IterableIterator<Row> {
    return this.base ? this.layeredValues(this.base) : this.rows.values()
  }

  put(row: Row) {
    const key = this.keyOf(row)
    this.delete(key)
    this.changes += 1
    this.rows.set(key, row)
    for (const { keysOf, entries } of this.indexes) {
      for (const name of list(keysOf(row))) {
        const found = entries.get(name)
        const next = found === undefined ? new OneRow(row) : found.with(row)
        next.version = this.changes
        if (next !== found) entries.set(name, next)
      }
    }
  }

  delete(key: Key) {
    if (this.base?.get(key) && !this.covered.has(key)) {
      this.changes += 1
      this.covered.add(key)
    }
    const row = this.rows.get(key)
    if (!row) return
    this.changes += 1
    this.rows.delete(key)
    for (const { keysOf, entries } of this.indexes) {
      for (const name of list(keysOf(row))) {
        const next = entries.get(name)?.without(row)
        if (next) next.version = this.changes
        else entries.delete(name)
      }
    }
  }

  private *layeredValues(base: IndexedTable<Row>): IterableIterator<Row> {
    for (const row of base.values()) if (!this.covered.has(this.keyOf(row))) yield row
    yield* this.rows.values()
  }

  private layered(own: Found<Row>, beneath: Found<Row>): Found<Row> {
    if (this.covered.size === 0) return own.size === 0 ? beneath : new TwoLayers(beneath, own, this.version)
    const hidden = new Set([...this.covered].map((key) => this.base?.get(key)))
    const rows = new ManyRows<Row>()
    for (const row of beneath) if (!hidden.has(row)) rows.add(row)
    for (const row of own) rows.add(row)
    rows.version = this.version
    return rows
  }
}

/** The rows under a key. While `version` is the same, so are the rows. */
type Found<Row> = Iterable<Row> & { readonly size: number; readonly version: number }

/** The only row under a key, as under most keys of most indexes: a Set of one would take several times the memory. */
class OneRow<Row> {
  readonly size = 1
  readonly row: Row
  version = 0

  constructor(row: Row) {
    this.row = row
  }

  [Symbol.iterator](): IterableIterator<Row> {
    return [this.row].values()
  }

  with(row: Row): OneRow<Row> | ManyRows<Row> {
    return row === this.row ? this : new ManyRows<Row>().with(this.row).with(row)
  }

  without(row: Row): OneRow<Row> | undefined {
    return row === this.row ? undefined : this
  }
}

class ManyRows<Row> extends Set<Row> {
  version = 0

  with(row: Row): this {
    return this.add(row)
  }

  without(row: Row): this | undefined {
    this.delete(row)
    return this.size === 0 ? undefined : this
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

type Index<Row> = {
  keysOf: (row: Row) => Key | Key[] | null
  entries: Map<Key, OneRow<Row> | ManyRows<Row>>
  find?: (key: Key) => Found<Row>
}

const empty: Found<never> = new ManyRows<never>()

function list(keys: Key | Key[] | null): Key[] {
  return keys === null ? [] : Array.isArray(keys) ? keys : [keys]
}

function first<T>(items: Iterable<T>): T | undefined {
  for (const item of items) return item
  return undefined
}
