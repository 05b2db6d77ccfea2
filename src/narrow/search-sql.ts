import { type RawBuilder, sql } from 'kysely'
import { searchParts } from './search.ts'

/** Returns a search as a tsquery: all of the words, in any form; quoted phrases in their order. */
export function searchQuery(search: string): RawBuilder<unknown> {
  const { words, phrases } = searchParts(search)
  const parts = [
    ...(words === '' ? [] : [sql`plainto_tsquery('english', ${words})`]),
    ...phrases.map((phrase) => sql`phraseto_tsquery('english', ${phrase})`),
  ]
  return parts.length === 0 ? sql`''::tsquery` : sql`(${sql.join(parts, sql` && `)})`
}

/** Characters that separate words within a phrase only visually. */
export const highlightMatches = '*~`'

/**
 * The phrases in quotes as patterns for ILIKE, without emphasis: they are to stand somewhere as they are, small words
 * included.
 */
export function phrasePatterns(search: string): string[] {
  return searchParts(search).phrases.map((phrase) => {
    const plain = phrase.replace(/[*~`]/g, '')
    return `%${plain.replace(/[\\%_]/g, '\\$&')}%`
  })
}
