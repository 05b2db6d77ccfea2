import { type RawBuilder, sql } from 'kysely'

/** What somebody searches for, as a tsquery: all of the words, in any form; what stands in quotes, in that order. */
export function searchQuery(search: string): RawBuilder<unknown> {
  const { words, phrases } = searchParts(search)
  const parts = [
    ...(words === '' ? [] : [sql`plainto_tsquery('english', ${words})`]),
    ...phrases.map((phrase) => sql`phraseto_tsquery('english', ${phrase})`),
  ]
  return parts.length === 0 ? sql`''::tsquery` : sql`(${sql.join(parts, sql` && `)})`
}

/** The words outside of quotes, and the phrases in them. A quote that nobody closes is none. */
export function searchParts(search: string): { words: string; phrases: string[] } {
  const phrases: string[] = []
  const words = search.replaceAll('\0', ' ').replace(/"([^"]*)"/g, (_, phrase: string) => {
    if (phrase.trim() !== '') phrases.push(phrase.trim())
    return ' '
  })
  return { words: words.replace(/[\s"]+/g, ' ').trim(), phrases }
}
