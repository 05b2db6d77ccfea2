import { type RawBuilder, sql } from 'kysely'
import { searchParts } from './search.ts'
import { pairsQuery, runsOf, splitUnspaced } from './unspaced.ts'

/**
 * Returns a search as a tsquery: all of the words, in any form; quoted phrases in their order. Words in scripts without spaces
 * are left out, because for PostgreSQL a whole sentence of theirs is one word.
 */
export function searchQuery(search: string): RawBuilder<unknown> {
  const { words, phrases } = searchParts(search)
  const { rest } = splitUnspaced(words)
  const parts = [
    ...(rest === '' ? [] : [sql`plainto_tsquery('english', ${rest})`]),
    ...phrases.flatMap(phraseQuery),
  ]
  return parts.length === 0 ? sql`''::tsquery` : sql`(${sql.join(parts, sql` && `)})`
}

function phraseQuery(phrase: string): RawBuilder<unknown>[] {
  const { joined, rest } = splitUnspaced(phrase)
  if (joined.length === 0) return [sql`phraseto_tsquery('english', ${phrase})`]
  return rest === '' ? [] : [sql`plainto_tsquery('english', ${rest})`]
}

/** The condition on messages that a search finds. `column` returns the column of a message with this name. */
export function searchCondition(
  search: string,
  column: (name: string) => RawBuilder<unknown>,
): RawBuilder<boolean> {
  const plain = (name: string) => sql`translate(${column(name)}, ${highlightMatches}, '')`
  const patterns = literalParts(search).map(
    (pattern) => sql`(${plain('content')} ILIKE ${pattern} OR ${plain('topic')} ILIKE ${pattern})`,
  )
  const runs = runsOf(unspacedWords(search).join(' '))
  const words = sql`${column('words')} @@ ${searchQuery(search)}`
  if (runs.length === 0) return sql`(${sql.join([words, ...patterns], sql` AND `)})`
  // A query without words finds nothing, and such runs alone are a search as well.
  const others = sql`(numnode(${searchQuery(search)}) = 0 OR ${words})`
  return sql`(${sql.join([hasPairs(pairsQuery(runs), column), others, ...patterns], sql` AND `)})`
}

/** The expression must be that of the index `message_unspaced`. */
function hasPairs(query: string, column: (name: string) => RawBuilder<unknown>): RawBuilder<boolean> {
  const [topic, content] = [column('topic'), column('content')]
  return sql`(octet_length(${topic} || ${content}) <> char_length(${topic} || ${content})
    AND unspaced_pairs(${topic}, ${content}) @@ ${query}::tsquery)`
}

/** Characters that separate words within a phrase only visually. */
const highlightMatches = '*~`'

/**
 * Returns the parts of a search that messages must contain literally, as patterns for ILIKE and without emphasis: phrases, small
 * words included, and words in scripts without spaces.
 */
function literalParts(search: string): string[] {
  const { words, phrases } = searchParts(search)
  return [...phrases, ...splitUnspaced(words).joined].map((text) => {
    const plain = text.replace(/[*~`]/g, '')
    return `%${plain.replace(/[\\%_]/g, '\\$&')}%`
  })
}

/** The words of a search that have characters of scripts without spaces. */
export function unspacedWords(search: string): string[] {
  const { words, phrases } = searchParts(search)
  return splitUnspaced([words, ...phrases].join(' ')).joined
}
