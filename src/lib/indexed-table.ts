type Key = number | string

/**
 * Rows by key, with any number of further indexes that follow every change. An index names the keys a row is found
 * under: none, one, or several.
 */
export class IndexedTable<Row extends object> {
  private readonly rows = new Map<Key, Row>()
  private readonly indexes: Index<Row>[] = []
  private readonly keyOf: (row: Row) => Key
  private changes = 0

  constructor(keyOf: (row: Row) => Key) {
    this.keyOf = keyOf
  }

  /** Adds an index before the first row comes; answers its look-up. */
  index(keysOf: (row: Row) => Key | Key[] | null): (key: Key) => Found<Row> {
    const index: Index<Row> = { keysOf, entries: new Map() }
    this.indexes.push(index)
    return (key) => index.entries.get(key) ?? empty
  }

  /** An index under which at most one row stands. */
  uniqueIndex(keyOf: (row: Row) => Key | null): (key: Key) => Row | undefined {
    const find = this.index(keyOf)
    return (key) => first(find(key))
  }

  get(key: Key) {
    return this.rows.get(key)
  }

  get size() {
    return this.rows.size
  }

  /** Rises with every change: as long as it stands still, the rows are the same. */
  get version() {
    return this.changes
  }

  values() {
    return this.rows.values()
  }

  put(row: Row) {
    const key = this.keyOf(row)
    this.delete(key)
    this.changes += 1
    this.rows.set(key, row)
    for (const { keysOf, entries } of this.indexes) {
      for (const name of list(keysOf(row))) {
        const found = entries.get(name) ?? new Rows()
        if (found.size === 0) entries.set(name, found)
        found.add(row)
        found.version = this.changes
      }
    }
  }

  delete(key: Key) {
    const row = this.rows.get(key)
    if (!row) return
    this.changes += 1
    this.rows.delete(key)
    for (const { keysOf, entries } of this.indexes) {
      for (const name of list(keysOf(row))) {
        const found = entries.get(name)
        if (!found) continue
        found.delete(row)
        found.version = this.changes
        if (found.size === 0) entries.delete(name)
      }
    }
  }
}

/** What stands under a key. As long as `version` is the same, so are the rows. */
type Found<Row> = Iterable<Row> & { readonly size: number; readonly version: number }

class Rows<Row> extends Set<Row> {
  version = 0
}

type Index<Row> = { keysOf: (row: Row) => Key | Key[] | null; entries: Map<Key, Rows<Row>> }

const empty: Found<never> = new Rows<never>()

function list(keys: Key | Key[] | null): Key[] {
  return keys === null ? [] : Array.isArray(keys) ? keys : [keys]
}

function first<T>(items: Iterable<T>): T | undefined {
  for (const item of items) return item
  return undefined
}
