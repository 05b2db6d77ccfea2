import { plain } from './fuzzy.ts'

/** Finds rows by words: returns those whose texts contain each of them, in the order of the rows. */
type FindRows<T> = (words: string) => readonly T[]

/**
 * Makes a search through rows that change. The text of each row is put into its plain form once, as long as it stays the
 * same. A search that continues the one before looks through what that one found.
 */
export function rowFinder<T extends object>(textOf: (row: T) => string) {
  const texts = new WeakMap<T, { text: string; plain: string }>()
  function plainOf(row: T): string {
    const text = textOf(row)
    const known = texts.get(row)
    if (known?.text === text) return known.plain
    const made = { text, plain: plain(text) }
    texts.set(row, made)
    return made.plain
  }
  /** Begins anew with rows; their order, or what they say, may have changed. */
  return function through(rows: readonly T[]): FindRows<T> {
    let last = { wanted: '', found: rows }
    return (words) => {
      const wanted = plain(words.trim())
      const from = wanted.startsWith(last.wanted) ? last.found : rows
      const parts = wanted.split(' ')
      const found = wanted
        ? from.filter((row) => {
            const text = plainOf(row)
            return parts.every((part) => text.includes(part))
          })
        : rows
      last = { wanted, found }
      return found
    }
  }
}
