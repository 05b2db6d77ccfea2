import { badShape } from './error.ts'
import { narrowLimits } from './limits.ts'

/** Throws NarrowError if the searches of one narrow have too many words or phrases in total. */
export function checkSearches(searches: string[]) {
  const parts = searches.map(searchParts)
  const texts = parts.flatMap(({ words, phrases }) => [words, ...phrases])
  // Split words as PostgreSQL does, which finds several in a-b/c.
  const words = texts.flatMap((text) => text.match(/[\p{L}\p{M}\p{N}]+/gu) ?? [])
  const { searchWords, searchPhrases } = narrowLimits
  if (words.length > searchWords) throw badShape(`search has too many words (limit: ${searchWords})`)
  const phrases = parts.flatMap((part) => part.phrases)
  if (phrases.length > searchPhrases) throw badShape(`search has too many phrases (limit: ${searchPhrases})`)
}

/** Splits a search into the words outside quotes, and the phrases in them. An unclosed quote does not count. */
export function searchParts(search: string): { words: string; phrases: string[] } {
  const phrases: string[] = []
  const words = search.replaceAll('\0', ' ').replace(/"([^"]*)"/g, (_, phrase: string) => {
    if (phrase.trim() !== '') phrases.push(phrase.trim())
    return ' '
  })
  return { words: words.replace(/[\s"]+/g, ' ').trim(), phrases }
}
