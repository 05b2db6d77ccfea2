import { diffArrays } from 'diff/lib/diff/array.js'
import { lastIn } from '../../../lib/must.ts'

/** A word or a tag of HTML with the trailing white space. `key` has no trailing white space. */
type Piece = { text: string; key: string; isTag: boolean }

/** Pieces at the same place in both texts, or in only one of them. */
type Run = { kind: 'same' | 'inserted' | 'deleted'; pieces: Piece[] }

/**
 * Returns the effect of an edit: the new HTML in a `<div>`, with inserted and deleted passages marked by spans.
 * Passages that differ and take more than `steps` steps to compare count as replaced as a whole.
 */
export function htmlDifference(before: string, after: string, steps: number): string {
  const [old, current] = [piecesOf(before), piecesOf(after)]
  const runs = compare(old, current, steps)
  const isAlike = before === after || runs.some((run) => run.kind === 'same' && run.pieces.some(isWord))
  const shown = isAlike ? runs : replacement(old, current)
  // Keeps a space between a new word and the old word that it replaces.
  return `<div>${shown.map(show).join('').replaceAll('</span><span', '</span> <span').trim()}</div>`
}

function piecesOf(html: string): Piece[] {
  const found = html.match(/<[^>]*>\s*|[^<\s]+\s*|\s+/g) ?? []
  let isCode = false
  return found.map((text) => {
    if (/^<\/?pre\b/i.test(text)) isCode = text[1] !== '/'
    // White space other than a single space is significant only in code.
    const key = text.trimEnd()
    const space = text.length > key.length ? ' ' : ''
    return { text: isCode ? text : key + space, key, isTag: text.startsWith('<') }
  })
}

function isWord(piece: Piece) {
  return !piece.isTag
}

function isSame(a: Piece, b: Piece) {
  return a.key === b.key
}

function compare(old: Piece[], current: Piece[], steps: number): Run[] {
  const shorter = Math.min(old.length, current.length)
  let start = 0
  while (start < shorter && isSame(old[start]!, current[start]!)) start++
  let end = 0
  while (end < shorter - start && isSame(old.at(-1 - end)!, current.at(-1 - end)!)) end++
  return [
    { kind: 'same', pieces: current.slice(0, start) },
    ...align(old.slice(start, old.length - end), current.slice(start, current.length - end), steps),
    { kind: 'same', pieces: current.slice(current.length - end) },
  ]
}

/** Aligns the pieces. Between two equal passages, insertions come before deletions. */
function align(old: Piece[], current: Piece[], steps: number): Run[] {
  // The number of steps grows with the square of the number of inserted and deleted pieces.
  const maxEditLength = Math.floor(Math.sqrt(steps / 2))
  const changes = diffArrays(old, current, { comparator: isSame, maxEditLength })
  if (!changes) return replacement(old, current)
  const runs: Run[] = []
  let gap = { inserted: [] as Piece[], deleted: [] as Piece[] }
  for (const { added, removed, value } of changes) {
    if (added) gap.inserted = gap.inserted.concat(value)
    else if (removed) gap.deleted = gap.deleted.concat(value)
    else {
      runs.push(...replacement(gap.deleted, gap.inserted), { kind: 'same', pieces: value })
      gap = { inserted: [], deleted: [] }
    }
  }
  return [...runs, ...replacement(gap.deleted, gap.inserted)]
}

function replacement(old: Piece[], current: Piece[]): Run[] {
  return [
    { kind: 'inserted', pieces: current },
    { kind: 'deleted', pieces: old },
  ]
}

function show({ kind, pieces }: Run): string {
  if (kind === 'same') return textOf(pieces)
  const nesting = nestingOf(pieces)
  const kept = pieces.map((piece, i) => ({ piece, nesting: nesting[i]! }))
  // Deleted passages leave no tags open or closed. Inserted passages keep their own tags.
  const shown = kind === 'deleted' ? kept.filter((one) => one.nesting !== 'open') : kept
  let html = ''
  let marked: Piece[] = []
  const flush = () => {
    html += mark(textOf(marked), kind)
    marked = []
  }
  for (const { piece, nesting } of shown) {
    if (nesting === 'inline') {
      marked.push(piece)
    } else {
      flush()
      html += piece.text
    }
  }
  flush()
  return html
}

function mark(html: string, kind: 'inserted' | 'deleted') {
  if (html.trim() === '') return html
  const space = html.slice(html.trimEnd().length)
  return `<span class="highlight_text_${kind}">${html.trimEnd()}</span>${space}`
}

const blocks = /^<\/?(p|div|blockquote|ul|ol|li|pre|table|thead|tbody|tr|th|td|h[1-6]|hr|details|summary)\b/i
const empty = /^<(br|img|hr|input|wbr)\b/i

type Nesting = 'inline' | 'block' | 'open'

/**
 * Classifies each piece. "inline": words, and inline tags whose partners are in the list, may stand inside a mark.
 * "block": block tags with their partners may not. "open": tags whose partners are missing may not either.
 */
function nestingOf(pieces: Piece[]): Nesting[] {
  const result = pieces.map((piece): Nesting => (piece.isTag && !empty.test(piece.text) ? 'open' : 'inline'))
  const stack: { at: number; hasBlock: boolean }[] = []
  for (const [i, piece] of pieces.entries()) {
    if (result[i] === 'inline') continue
    if (!piece.text.startsWith('</')) {
      stack.push({ at: i, hasBlock: blocks.test(piece.text) })
      continue
    }
    const opening = stack.pop()
    if (!opening) continue
    result[i] = result[opening.at] = opening.hasBlock ? 'block' : 'inline'
    if (opening.hasBlock && stack.length > 0) lastIn(stack).hasBlock = true
  }
  return result
}

function textOf(pieces: Piece[]) {
  return pieces.map((piece) => piece.text).join('')
}
