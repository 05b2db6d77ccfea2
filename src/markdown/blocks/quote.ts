import { must } from '../../lib/must.ts'
import { addBlock, type BlockRule } from './block.ts'

/** Lines that begin with `>`. A blank line ends the quote; a chunk of empty quote lines alone is none. */
export const quote: BlockRule = {
  matches: (chunk) => chunk.includes('>') && firstQuoted(chunk.split('\n')) !== undefined,
  parse(chunk, parent, around, nested) {
    const lines = chunk.split('\n')
    const first = must(firstQuoted(lines), 'quoted line')
    if (first > 0) nested(parent, [lines.slice(0, first).join('\n')], around)
    const text = lines.slice(first).map(withoutMark).join('\n')
    nested(addBlock(parent, 'blockquote'), text.split('\n\n'), 'quote')
    return []
  },
}

function firstQuoted(lines: string[]): number | undefined {
  const first = lines.findIndex((line) => /^ {0,3}>/.test(line))
  return first >= 0 && lines.slice(first).some((line) => !/^ {0,3}>?\s*$/.test(line)) ? first : undefined
}

function withoutMark(line: string): string {
  if (line.startsWith('> ')) return line.slice(2)
  return line.trim() === '>' ? '' : line.replace(/^ {0,3}> ?/, '')
}
