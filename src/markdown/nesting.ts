import type { MarkdownIt, StateBlock, StateInline } from 'markdown-it'
import { limits } from './limits.ts'

/** Bounds how deep quotes, lists and emphasis go, and loses no text by it: clients walk the HTML recursively. */
export function nesting(md: MarkdownIt): void {
  md.block.ruler.before('table', 'deep_block', flattenDeepBlock)
  md.inline.ruler2.after('emphasis', 'deep_inline', flattenDeepInline)
}

/** Pushes the lines up to the next blank one as a paragraph, whatever they look like. */
export function pushParagraph(state: StateBlock, startLine: number, endLine: number): void {
  let line = startLine + 1
  while (line < endLine && !state.isEmpty(line) && !isOutdented(state, line)) line++
  state.line = line
  state.push('paragraph_open', 'p', 1).map = [startLine, line]
  const text = state.push('inline', '', 0)
  text.content = state.getLines(startLine, line, state.blkIndent, false).trim()
  text.map = [startLine, line]
  text.children = []
  state.push('paragraph_close', 'p', -1)
}

/** The parser marks a line that merely continues a quoted paragraph with a negative indent. */
function isOutdented(state: StateBlock, line: number): boolean {
  return state.sCount[line]! >= 0 && state.sCount[line]! < state.blkIndent
}

function flattenDeepBlock(state: StateBlock, startLine: number, endLine: number): boolean {
  if (state.level < limits.blockLevels) return false
  pushParagraph(state, startLine, endLine)
  return true
}

function flattenDeepInline(state: StateInline): void {
  let depth = 0
  for (const token of state.tokens) {
    if (token.nesting === 0 || token.type.startsWith('link_')) continue
    const level = token.nesting > 0 ? ++depth : depth--
    if (level <= limits.inlineLevels) continue
    token.type = 'text'
    token.tag = ''
    token.nesting = 0
    token.content = token.markup
  }
}
