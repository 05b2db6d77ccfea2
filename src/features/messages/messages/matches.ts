import { sql } from 'kysely'
import type { Reader } from '../../../db/database.ts'
import { escapeHtml } from '../../../lib/html.ts'
import { firstIn } from '../../../lib/must.ts'
import { searchQuery, unspacedWords } from '../../../narrow/search-sql.ts'
import type { PageMessage } from '../../kernel/messages/page-rows.ts'

/** The content and the topic as HTML with highlighted search matches. */
type Match = { match_content: string; match_subject: string }

/** Returns the search matches in messages. The messages include their rendered content. */
export async function matchesIn(
  read: Reader,
  search: string,
  messages: PageMessage[],
  topicOf: (message: PageMessage) => string,
): Promise<Match[]> {
  const texts = messages.flatMap((message) => [contentOf(message), escapeHtml(topicOf(message))])
  const highlighted = await highlight(read, search, texts)
  return messages.map((_, index) => ({
    match_content: highlighted[2 * index] ?? '',
    match_subject: highlighted[2 * index + 1] ?? '',
  }))
}

/** Returns the match fields of a message without a search. */
export function matchOf(message: PageMessage, topic: string): Match {
  return { match_content: contentOf(message), match_subject: escapeHtml(topic) }
}

function contentOf({ contentJson }: PageMessage): string {
  return JSON.parse(contentJson)
}

/** Highlights search matches in pieces of HTML. It changes only text, never tags or entities. */
async function highlight(read: Reader, search: string, pieces: string[]): Promise<string[]> {
  if (pieces.length === 0) return []
  const split = pieces.map((html) => html.split(tags))
  // Every second part is a tag. PostgreSQL finds the words, and for it all tags look the same.
  const texts = split.map((parts) =>
    parts
      .filter((_, index) => index % 2 === 0)
      .map(decode)
      .join(signs.tag),
  )
  const options = `HighlightAll=true, StartSel=${signs.start}, StopSel=${signs.end}`
  const found = await read.prepared<{ texts: string[] }>(
    'highlight',
    sql`SELECT json_agg(ts_headline('english', text, (SELECT ${searchQuery(search)}), ${options}) ORDER BY place) AS texts
      FROM json_array_elements_text(${JSON.stringify(texts)}::json) WITH ORDINALITY AS piece(text, place)`,
  )
  const words = unspacedWords(search)
  return firstIn(found).texts.map((text, piece) => {
    const between = markWords(text, words).split(signs.tag)
    return split[piece]!.map((part, index) => (index % 2 === 0 ? encode(between[index / 2]!) : part)).join('')
  })
}

/** Marks what PostgreSQL takes for a part of a word. The longest is marked where several begin. */
function markWords(text: string, words: string[]): string {
  if (words.length === 0) return text
  const longestFirst = words.toSorted((a, b) => b.length - a.length)
  // They consist of letters and digits, none of which means anything in a pattern.
  return text.replace(new RegExp(longestFirst.join('|'), 'gi'), `${signs.start}$&${signs.end}`)
}

/** The pattern of a tag. Angle brackets in attributes are escaped, too. */
const tags = /(<[^>]*>)/

/** Placeholders for markup that must not count as text. Unicode guarantees that these are not characters. */
const signs = { tag: '\ufdd0', start: '\ufdd1', end: '\ufdd2', lt: '\ufdd3', gt: '\ufdd4', amp: '\ufdd5' }

/** Replaces entities by single characters, so that no word is a part of an entity. */
function decode(text: string) {
  return text
    .replace(/[\ufdd0-\ufdd5]/g, '')
    .replaceAll('&lt;', signs.lt)
    .replaceAll('&gt;', signs.gt)
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', signs.amp)
}

function encode(text: string) {
  return text
    .replaceAll(signs.lt, '&lt;')
    .replaceAll(signs.gt, '&gt;')
    .replaceAll(signs.amp, '&amp;')
    .replaceAll(signs.start, '<span class="highlight">')
    .replaceAll(signs.end, '</span>')
}
