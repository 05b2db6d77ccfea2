import { sql } from 'kysely'
import type { Reader } from '../../../db/database.ts'
import { escapeHtml } from '../../../lib/html.ts'
import { searchQuery } from '../../../narrow/search.ts'
import type { PageMessage } from '../../kernel/messages/page-rows.ts'

/** Text and topic as HTML, in which what was searched for is highlighted. */
type Match = { match_content: string; match_subject: string }

/** Where what is searched for is in messages, which come with their rendered content. */
export async function matchesIn(
  read: Reader,
  search: string,
  messages: PageMessage[],
  topicOf: (message: PageMessage) => string,
): Promise<Match[]> {
  const texts = messages.flatMap((message) => [contentOf(message), escapeHtml(topicOf(message))])
  const highlighted = await highlight(read, search, texts)
  return messages.map((_, index) => ({
    match_content: highlighted[2 * index]!,
    match_subject: highlighted[2 * index + 1]!,
  }))
}

/** A message in which nothing is searched for. */
export function matchOf(message: PageMessage, topic: string): Match {
  return { match_content: contentOf(message), match_subject: escapeHtml(topic) }
}

function contentOf({ contentJson }: PageMessage): string {
  return JSON.parse(contentJson)
}

/** Marks what is searched for in pieces of HTML: only in their text, never in a tag or an entity. */
async function highlight(read: Reader, search: string, pieces: string[]): Promise<string[]> {
  if (pieces.length === 0) return []
  const split = pieces.map((html) => html.split(tags))
  // Every other part is a tag. To PostgreSQL, which says where the words are, all tags look alike.
  const texts = split.map((parts) =>
    parts
      .filter((_, index) => index % 2 === 0)
      .map(decode)
      .join(signs.tag),
  )
  const options = `HighlightAll=true, StartSel=${signs.start}, StopSel=${signs.end}`
  const rows = await read.rows<{ text: string }>(sql`
    SELECT ts_headline('english', text, ${searchQuery(search)}, ${options}) AS text
    FROM unnest(${texts}::text[]) WITH ORDINALITY AS piece(text, place) ORDER BY place`)
  return rows.map(({ text }, piece) => {
    const between = text.split(signs.tag)
    return split[piece]!.map((part, index) => (index % 2 === 0 ? encode(between[index / 2]!) : part)).join('')
  })
}

/** Where a tag begins and ends: attributes, too, have their angle brackets escaped. */
const tags = /(<[^>]*>)/

/** Stand for what must not be taken for text; Unicode promises that these are no characters. */
const signs = { tag: '\ufdd0', start: '\ufdd1', end: '\ufdd2', lt: '\ufdd3', gt: '\ufdd4', amp: '\ufdd5' }

/** Entities become single signs, so that no word is a part of one. */
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
