import { readTyped } from './search.ts'

/** Parts words from the term that is begun behind them, as in `round icons sender:`; undefined if none is. */
export function wordsBefore(text: string): { words: string; rest: string } | undefined {
  const [, words = '', rest = ''] = /^(.*\S)\s+(-?[\w-]+:\S*)$/s.exec(text) ?? []
  const isInQuotes = words.split('"').length % 2 === 0
  const isBegun = readTyped(words).operator === undefined && readTyped(rest).operator !== undefined
  return words && !isInQuotes && isBegun ? { words, rest } : undefined
}
