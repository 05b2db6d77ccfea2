import { markdownLimits } from '../limits.ts'
import type { Around, Block, BlockRule } from './block.ts'
import { addBlock } from './block.ts'
import { heading, rule } from './heading.ts'
import { indentedCode } from './indented-code.ts'
import { listIndent, orderedList, unorderedList } from './list.ts'
import { quote } from './quote.ts'
import { table } from './table.ts'

/** Text to blocks. Chunks of text end at blank lines; the first rule that matches a chunk takes it. */
export function parseBlocks(text: string): Block {
  const root: Block = { tag: '', attributes: {}, text: '', children: [], tail: '' }
  parseChunks(root, text.split('\n\n'), 'document', 0)
  return root
}

const rules: BlockRule[] = [
  { matches: isBlank, parse: parseBlank },
  listIndent,
  indentedCode,
  heading,
  table,
  rule,
  orderedList,
  unorderedList,
  quote,
]

function parseChunks(parent: Block, chunks: string[], around: Around, depth: number): void {
  const waiting = chunks.slice().reverse()
  const nested = (inner: Block, within: string[], how: Around) => parseChunks(inner, within, how, depth + 1)
  for (let chunk = waiting.pop(); chunk !== undefined; chunk = waiting.pop()) {
    const rest = depth > markdownLimits.blockDepth ? undefined : parseChunk(parent, chunk, around, nested)
    if (rest === undefined) parseParagraph(parent, chunk, around)
    else for (let index = rest.length - 1; index >= 0; index--) waiting.push(rest[index]!)
  }
}

function parseChunk(
  parent: Block,
  chunk: string,
  around: Around,
  nested: (inner: Block, within: string[], how: Around) => void,
): string[] | undefined {
  for (const each of rules) {
    const rest = each.matches(chunk, parent, around) ? each.parse(chunk, parent, around, nested) : undefined
    if (rest) return rest
  }
  return undefined
}

function isBlank(chunk: string): boolean {
  return chunk === '' || chunk.startsWith('\n')
}

/** Blank lines separate blocks, and belong to the code before them if more code follows. */
function parseBlank(chunk: string, parent: Block): string[] {
  const before = parent.children.at(-1)
  if (before?.literal) before.text += chunk === '' ? '\n\n' : '\n'
  return chunk.length > 1 ? [chunk.slice(1)] : []
}

function parseParagraph(parent: Block, chunk: string, around: Around): void {
  if (chunk.trim() === '') return
  if (around !== 'list') {
    addBlock(parent, 'p', chunk.trimStart())
    return
  }
  const before = parent.children.at(-1)
  if (before) before.tail = `${before.tail}\n${chunk}`
  else parent.text = parent.text === '' ? chunk.trimStart() : `${parent.text}\n${chunk.trimStart()}`
}
