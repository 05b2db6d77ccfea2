import { firstIn, must } from '../../lib/must.ts'
import { markdownLimits } from '../limits.ts'
import { addBlock, type Block, type BlockRule } from './block.ts'

/** Tables with `|` and a line of dashes below the heads, of a bounded size. Colons in the dashes align a column. */
export const table: BlockRule = {
  matches: (chunk) => alignmentsOf(chunk) !== undefined,
  parse(chunk, parent) {
    const alignments = must(alignmentsOf(chunk), 'row of alignments')
    const lines = chunk.split('\n')
    if (alignments.length * lines.length > markdownLimits.tableCells) return undefined
    const bordered = hasBorder(firstIn(lines).trim())
    const block = addBlock(parent, 'table')
    addRow(addBlock(block, 'thead'), 'th', cellsOf(firstIn(lines), bordered), alignments)
    const body = addBlock(block, 'tbody')
    for (const line of lines.slice(2)) addRow(body, 'td', cellsOf(line, bordered), alignments)
    if (lines.length === 2) addRow(body, 'td', [], alignments)
    return []
  },
}

/**
 * Returns the alignments of the columns; undefined if the chunk is no table. A table of one column needs a border in
 * every line.
 */
function alignmentsOf(chunk: string): string[] | undefined {
  const newline = chunk.indexOf('\n')
  if (newline < 0) return undefined
  const head = chunk.slice(0, newline).trim()
  if (!head.includes('|')) return undefined
  const next = chunk.indexOf('\n', newline + 1)
  const dashes = chunk.slice(newline + 1, next < 0 ? undefined : next)
  if (!/^[-|: ]+$/.test(dashes)) return undefined
  const bordered = hasBorder(head)
  const columns = cellsOf(head, bordered).length
  const marks = cellsOf(dashes, bordered)
  if (marks.length !== columns) return undefined
  if (columns === 1 && !(bordered && chunk.split('\n').every((line) => hasBorder(line.trim()))))
    return undefined
  return marks.map(alignment)
}

function alignment(dashes: string): string {
  const left = dashes.startsWith(':')
  const right = dashes.endsWith(':')
  return left && right ? 'center' : left ? 'left' : right ? 'right' : ''
}

function addRow(parent: Block, tag: string, cells: string[], alignments: string[]): void {
  const row = addBlock(parent, 'tr')
  alignments.forEach((align, index) => {
    addBlock(row, tag, cells[index] ?? '', align === '' ? {} : { style: `text-align: ${align};` })
  })
}

function hasBorder(line: string): boolean {
  return line.startsWith('|') || /(?<!\\)\|$/.test(line)
}

/** Cells are divided by `|`, except in code and after a backslash. */
function cellsOf(line: string, bordered: boolean): string[] {
  let row = line.trim()
  if (bordered) {
    if (row.startsWith('|')) row = row.slice(1)
    row = row.replace(/(?<!\\)\|$/, '')
  }
  const cells: string[] = []
  let start = 0
  for (let position = 0; position < row.length; position++) {
    if (row[position] === '\\') position++
    else if (row[position] === '`') position = endOfCode(row, position)
    else if (row[position] === '|') {
      cells.push(row.slice(start, position))
      start = position + 1
    }
  }
  cells.push(row.slice(start))
  return cells.map((cell) => cell.trim())
}

/** The last backtick of a code span that begins at a position, or of the backticks there if none does. */
function endOfCode(row: string, position: number): number {
  let end = position
  while (row[end + 1] === '`') end++
  const ticks = row.slice(position, end + 1)
  const close = row.indexOf(ticks, end + 1)
  return close < 0 ? end : close + ticks.length - 1
}
