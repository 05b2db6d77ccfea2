import { readTyped } from './search.ts'

/** Parts words or a term from the term that is begun behind them, as in `round icons sender:`; undefined if none is. */
export function partBefore(text: string): { part: string; rest: string } | undefined {
  for (const { index } of text.matchAll(/(?<=\S)\s+(?=-?[\w-]+:)/g)) {
    const [part, rest] = [text.slice(0, index), text.slice(index).trimStart()]
    const isInQuotes = part.split('"').length % 2 === 0
    if (!isInQuotes && readTyped(rest).operator !== undefined) return { part, rest }
  }
  return undefined
}
