import { diffArrays } from 'diff/lib/diff/array.js'

/** A word or a tag of some HTML, with the white space behind it; `key`: without that. */
type Piece = { text: string; key: string; isTag: boolean }

/** Pieces that both texts have in the same place, or only one of them. */
type Run = { kind: 'same' | 'inserted' | 'deleted'; pieces: Piece[] }

/**
 * What an edit has done to a message: its new HTML in a `<div>`, with what is new in it and what is gone from it in
 * spans. Passages that differ and take more than so many steps to compare count as replaced altogether.
 */
export function htmlDifference(before: string, after: string, steps: number): string {
  const [old, current] = [piecesOf(before), piecesOf(after)]
  const runs = compare(old, current, steps)
  const isAlike = before === after || runs.some((run) => run.kind === 'same' && run.pieces.some(isWord))
  const shown = isAlike ? runs : replaced(old, current)
  // A new word and the old one it replaces are two words.
  return `<div>${shown.map(show).join('').replaceAll('</span><span', '</span> <span').trim()}</div>`
}

function piecesOf(html: string): Piece[] {
  const found = html.match(/<[^>]*>\s*|[^<\s]+\s*|\s+/g) ?? []
  let isCode = false
  return found.map((text) => {
    if (/^<\/?pre\b/i.test(text)) isCode = text[1] !== '/'
    // Only in code is white space more than a space.
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

/** Between two passages that are the same, what is new comes before what is gone. */
function align(old: Piece[], current: Piece[], steps: number): Run[] {
  // The steps grow with the square of the pieces that are new or gone.
  const maxEditLength = Math.floor(Math.sqrt(steps / 2))
  const changes = diffArrays(old, current, { comparator: isSame, maxEditLength })
  if (!changes) return replaced(old, current)
  const runs: Run[] = []
  let gap = { inserted: [] as Piece[], deleted: [] as Piece[] }
  for (const { added, removed, value } of changes) {
    if (added) gap.inserted = gap.inserted.concat(value)
    else if (removed) gap.deleted = gap.deleted.concat(value)
    else {
      runs.push(...replaced(gap.deleted, gap.inserted), { kind: 'same', pieces: value })
      gap = { inserted: [], deleted: [] }
    }
  }
  return [...runs, ...replaced(gap.deleted, gap.inserted)]
}

function replaced(old: Piece[], current: Piece[]): Run[] {
  return [
    { kind: 'inserted', pieces: current },
    { kind: 'deleted', pieces: old },
  ]
}

function show({ kind, pieces }: Run): string {
  if (kind === 'same') return textOf(pieces)
  const nesting = nestingOf(pieces)
  const kept = pieces.map((piece, i) => ({ piece, nesting: nesting[i]! }))
  // What is gone leaves no tags open or closed; what is new stands in the tags that it brings.
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
 * For each piece, whether it may stand inside a mark: words and inline tags whose partners are here too ("inline"), or
 * not: block tags with their partners ("block") and tags whose partners are elsewhere ("open").
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
    if (opening.hasBlock && stack.length > 0) stack.at(-1)!.hasBlock = true
  }
  return result
}

function textOf(pieces: Piece[]) {
  return pieces.map((piece) => piece.text).join('')
}
