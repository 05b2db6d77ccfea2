/** A text with its selection. */
export type Selected = { text: string; start: number; end: number }
/** Replaces a part of a text, and selects a part of the result. */
export type Edit = { from: number; to: number; insert: string; start: number; end: number }

export type Format =
  | 'bold'
  | 'italic'
  | 'strike'
  | 'code'
  | 'math'
  | 'link'
  | 'quote'
  | 'spoiler'
  | 'list'
  | 'numbers'

/** Formats the selected text. Used again on its own result, it removes the format. */
export function format(kind: Format, selected: Selected): Edit {
  switch (kind) {
    case 'bold':
      return around(selected, '**')
    case 'italic':
      return around(selected, '*')
    case 'strike':
      return around(selected, '~~')
    case 'code':
      return isSeveralLines(selected) ? fenced(selected, '') : around(selected, '`')
    case 'math':
      return isSeveralLines(selected) ? fenced(selected, 'math') : around(selected, '$$')
    case 'link':
      return link(selected)
    case 'quote':
      return fenced(selected, 'quote')
    case 'spoiler':
      return fenced(selected, 'spoiler')
    case 'list':
      return lines(selected, (line, at) => (at < 0 ? line : `* ${line}`), /^[*-] /)
    case 'numbers':
      return lines(selected, (line, at) => `${at + 1}. ${line}`, /^\d+\. /)
  }
}

/** A link from a pasted address and the text that was selected. */
export function linked({ text, start, end }: Selected, url: string): Edit {
  const insert = `[${text.slice(start, end)}](${url})`
  return { from: start, to: end, insert, start: start + insert.length, end: start + insert.length }
}

/** Puts a block of its own lines where the cursor is. */
export function block({ text, start, end }: Selected, insert: string): Edit {
  const before = start === 0 || text[start - 1] === '\n' ? '' : '\n'
  const after = text[end] === '\n' ? '' : '\n'
  const whole = before + insert + after
  return { from: start, to: end, insert: whole, start: start + whole.length, end: start + whole.length }
}

function isSeveralLines({ text, start, end }: Selected) {
  return text.slice(start, end).includes('\n')
}

function around({ text, start, end }: Selected, mark: string): Edit {
  const inner = text.slice(start, end)
  const size = mark.length
  const isMarked = (from: number, to: number) =>
    text.slice(from - size, from) === mark &&
    text.slice(to, to + size) === mark &&
    // One asterisk of two belongs to bold text.
    (mark !== '*' || text[from - 2] !== '*' || text[from - 3] === '*')
  if (isMarked(start, end) && start >= size) {
    return { from: start - size, to: end + size, insert: inner, start: start - size, end: end - size }
  }
  // Spaces at the ends would make the marks plain text.
  const [, lead = '', core = '', trail = ''] = /^(\s*)([\s\S]*?)(\s*)$/.exec(inner) ?? []
  const insert = lead + mark + core + mark + trail
  const at = start + lead.length + size
  return { from: start, to: end, insert, start: at, end: at + core.length }
}

function link({ text, start, end }: Selected): Edit {
  const inner = text.slice(start, end)
  if (/^https?:\/\/\S+$/.test(inner)) {
    return { from: start, to: end, insert: `[](${inner})`, start: start + 1, end: start + 1 }
  }
  const insert = `[${inner}](url)`
  if (!inner) return { from: start, to: end, insert, start: start + 1, end: start + 1 }
  return { from: start, to: end, insert, start: start + inner.length + 3, end: start + inner.length + 6 }
}

/** A fenced block; longer fences than those inside. */
function fenced({ text, start, end }: Selected, kind: string): Edit {
  const inner = text.slice(start, end)
  const longest = Math.max(2, ...[...inner.matchAll(/^`{3,}/gm)].map(([fence]) => fence.length))
  const fence = '`'.repeat(longest + 1)
  const before = start === 0 || text[start - 1] === '\n' ? '' : '\n'
  const after = end === text.length || text[end] === '\n' ? '' : '\n'
  const head = `${before}${fence}${kind}${kind === 'spoiler' ? ' ' : ''}\n`
  const insert = `${head}${inner}\n${fence}${after}`
  const at = start + head.length
  return { from: start, to: end, insert, start: at, end: at + inner.length }
}

function lines(
  { text, start, end }: Selected,
  mark: (line: string, at: number) => string,
  marked: RegExp,
): Edit {
  const from = text.lastIndexOf('\n', start - 1) + 1
  const lineEnd = text.indexOf('\n', end)
  const to = lineEnd < 0 ? text.length : lineEnd
  const all = text.slice(from, to).split('\n')
  const isMarked = all.every((line) => marked.test(line))
  const insert = all.map((line, at) => (isMarked ? line.replace(marked, '') : mark(line, at))).join('\n')
  const isOne = start === end
  return { from, to, insert, start: isOne ? from + insert.length : from, end: from + insert.length }
}

/**
 * Continues a list or a quotation on a new line: with its next item, or a further line. On an item that is still empty, it ends
 * the list. Undefined: just a new line.
 */
export function newLine({ text, start, end }: Selected): Edit | undefined {
  const from = text.lastIndexOf('\n', start - 1) + 1
  const line = text.slice(from, start)
  const [whole, indent = '', bullet, number, quote, rest = ''] =
    /^(\s*)(?:([*-]) |(\d+)\. |(>) )(.*)$/.exec(line) ?? []
  if (whole === undefined) return undefined
  if (!rest) return { from, to: end, insert: '', start: from, end: from }
  const next = bullet ?? quote ?? `${Number(number) + 1}.`
  const insert = `\n${indent}${next} `
  return { from: start, to: end, insert, start: start + insert.length, end: start + insert.length }
}
