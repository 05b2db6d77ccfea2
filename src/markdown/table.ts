import type { MarkdownIt, RendererRule, StateBlock } from 'markdown-it'
import { limits } from './limits.ts'
import { pushParagraph } from './nesting.ts'

/** Tables with `|`, of a bounded size. The alignment of a column is written as existing clients compare it. */
export function table(md: MarkdownIt): void {
  md.block.ruler.before('table', 'big_table', refuseBigTable)
  md.renderer.rules.th_open = renderCell
  md.renderer.rules.td_open = renderCell
}

function refuseBigTable(state: StateBlock, startLine: number, endLine: number): boolean {
  if (startLine + 2 > endLine) return false
  const delimiter = line(state, startLine + 1)
  if (!/^[-|: \t]+$/.test(delimiter) || !line(state, startLine).includes('|')) return false
  const columns = delimiter.split('|').filter((cell) => cell.trim() !== '').length
  let end = startLine + 2
  while (end < endLine && !state.isEmpty(end)) end++
  if (columns * (end - startLine) <= limits.tableCells) return false
  pushParagraph(state, startLine, endLine)
  return true
}

function line(state: StateBlock, number: number): string {
  return state.src.slice(state.bMarks[number]! + state.tShift[number]!, state.eMarks[number])
}

const renderCell: RendererRule = (tokens, index, options, _env, renderer) => {
  const token = tokens[index]!
  const alignment = /^text-align:(\w+)$/.exec(String(token.attrGet('style')))
  if (alignment) token.attrSet('style', `text-align: ${alignment[1]};`)
  return renderer.renderToken(tokens, index, options)
}
