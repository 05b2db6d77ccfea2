import { sql } from 'kysely'
import type { Reader } from '../../../db/database.ts'
import { firstIn, must } from '../../../lib/must.ts'
import { escapeHtml } from '../../../lib/text/html.ts'
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
  const runs = texts.map((text) => runsIn(text, likely))
  const marked = await markRuns(read, search, [
    ...new Set(runs.flatMap((list) => list.map(({ run }) => run))),
  ])
  const words = unspacedWords(search)
  return pieces.map((html, piece) => {
    const ofPiece = runs[piece]!
    if (ofPiece.length === 0) return html
    const shown = markWords(replaceRuns(texts[piece]!, ofPiece, marked), words).split(signs.tag)
    return split[piece]!.map((part, index) => (index % 2 === 0 ? encode(shown[index / 2]!) : part)).join('')
  })
}

/** The pattern of where a word may begin that PostgreSQL finds: its endings do not change the first letter. */
function likelyMatches(search: string): RegExp {
  const words = search.toLowerCase().match(/\p{L}+|\p{N}+/gu) ?? []
  const first = [...new Set(words.map((word) => word[0]!))].filter((letter) => /[a-z0-9]/.test(letter))
  return new RegExp(`(?<![a-z])[${first.join('')}]|[^\\0-\\x7f]`, 'gi')
}

/** A run of text without space, but for the one before it, at its place. */
type Run = { at: number; run: string }

/**
 * Returns the runs of a text in which a match is likely. No word extends beyond a run. Looking through whole texts would take half the time of a
 * search for a rare word.
 */
function runsIn(text: string, likely: RegExp): Run[] {
  const runs: Run[] = []
  likely.lastIndex = 0
  for (let found = likely.exec(text); found; found = likely.exec(text)) {
    let [at, end] = [found.index, found.index]
    // The run includes the space before it: PostgreSQL reads some words differently at the start of a text.
    while (at > 0 && !isSpace(text, at)) at--
    while (end < text.length && !isSpace(text, end)) end++
    runs.push({ at, run: text.slice(at, end) })
    likely.lastIndex = end
  }
  return runs
}

/** Whether a character always ends a word. */
function isSpace(text: string, index: number): boolean {
  const code = text.charCodeAt(index)
  return code === 32 || code === 9 || code === 10
}

function replaceRuns(text: string, runs: Run[], marked: Map<string, string>): string {
  let [replaced, end] = ['', 0]
  for (const { at, run } of runs) {
    replaced += text.slice(end, at) + must(marked.get(run), 'marked run')
    end = at + run.length
  }
  return replaced + text.slice(end)
}

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

/**
 * Placeholders for markup that must not count as text: control characters, which are invisible and end a word. V8 keeps two bytes
 * of each character of a text that has one beyond U+00FF.
 */
const signs = {
  tag: '\x0e',
  start: '\x0f',
  end: '\x10',
  run: '\x11',
  lt: '\x12',
  gt: '\x13',
  amp: '\x14',
  quot: '\x15',
  apostrophe: '\x16',
}

/** Replaces a character of a message that is one of these placeholders. */
const noSign = '\x17'

const signOfEntity: Record<string, string> = {
  '&lt;': signs.lt,
  '&gt;': signs.gt,
  '&amp;': signs.amp,
  '&quot;': signs.quot,
  '&#39;': signs.apostrophe,
}

const markup: Record<string, string> = {
  ...Object.fromEntries(Object.entries(signOfEntity).map(([entity, sign]) => [sign, entity])),
  [signs.start]: '<span class="highlight">',
  [signs.end]: '</span>',
}

/** Replaces entities by single characters, so that no word is a part of an entity. */
function decode(text: string) {
  return text
    .replace(/[\x0e-\x16]/g, noSign)
    .replace(/&(?:lt|gt|amp|quot|#39);/g, (entity) => signOfEntity[entity]!)
}

function encode(text: string) {
  return text.replace(/[\x0f\x10\x12-\x16]/g, (sign) => markup[sign]!)
}
