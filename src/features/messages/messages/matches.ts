import { sql } from 'kysely'
import type { Reader } from '../../../db/database.ts'
import { escapeHtml } from '../../../lib/html.ts'
import { firstIn, must } from '../../../lib/must.ts'
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
  const split = pieces.map((html) => html.split(tags))
  // Every second part is a tag. PostgreSQL finds the words, and for it all tags look the same.
  const texts = split.map((parts) =>
    parts
      .filter((_, index) => index % 2 === 0)
      .map(decode)
      .join(signs.tag),
  )
  const likely = likelyMatches(search)
  const runs = [...new Set(texts.flatMap((text) => text.match(likely) ?? []))]
  const marked = await markRuns(read, search, runs)
  const words = unspacedWords(search)
  return texts.map((text, piece) => {
    const shown = text.replace(likely, (run) => marked.get(run) ?? run)
    const between = markWords(shown, words).split(signs.tag)
    return split[piece]!.map((part, index) => (index % 2 === 0 ? encode(between[index / 2]!) : part)).join('')
  })
}

/**
 * The pattern of what PostgreSQL may find of a search: runs without space in which a word may have a first letter of the search.
 * No word extends beyond a run, nor do its endings change the first letter. To take all of a text apart would be half
 * of a search for a rare word.
 */
function likelyMatches(search: string): RegExp {
  const words = search.toLowerCase().match(/\p{L}+|\p{N}+/gu) ?? []
  const first = [...new Set(words.map((word) => word[0]!))].filter((letter) => /[a-z0-9]/.test(letter))
  const other = '[^\\0-\\x7f\ufdd0-\ufdd6]'
  return new RegExp(
    `(?:^|[${space}])(?=[^${space}]*?(?:(?<![a-z])[${first.join('')}]|${other}))[^${space}]+`,
    'gi',
  )
}

/** What always ends a word. Some words are others at the start of a text than behind a space, so a run includes that. */
const space = ' \\t\\n'

/** Returns texts with the words marked that PostgreSQL finds in them. */
async function markRuns(read: Reader, search: string, runs: string[]): Promise<Map<string, string>> {
  if (runs.length === 0) return new Map()
  const options = `HighlightAll=true, StartSel=${signs.start}, StopSel=${signs.end}`
  const found = await read.prepared<{ marked: string }>(
    'highlight',
    sql`SELECT string_agg(ts_headline('english', run, (SELECT ${searchQuery(search)}), ${options}), ${signs.run} ORDER BY place)
        AS marked FROM string_to_table(${runs.join(signs.run)}, ${signs.run}) WITH ORDINALITY AS piece(run, place)`,
  )
  const marked = firstIn(found).marked.split(signs.run)
  return new Map(runs.map((run, i) => [run, must(marked[i], 'marked run')]))
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
const signs = {
  tag: '\ufdd0',
  start: '\ufdd1',
  end: '\ufdd2',
  lt: '\ufdd3',
  gt: '\ufdd4',
  amp: '\ufdd5',
  run: '\ufdd6',
}

/** Replaces entities by single characters, so that no word is a part of an entity. */
function decode(text: string) {
  return text
    .replace(/[\ufdd0-\ufdd6]/g, '')
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
