import { firstIn, lastIn } from '../../lib/must.ts'
import { type Around, addBlock, type Block, type BlockRule, type Nested, unindent } from './block.ts'

// A list item is indented by two spaces for each list around it. Indented lines belong to the item before them.
const tab = 2
const ordered = /^ {0,1}(\d+)\. +/
const unordered = /^ {0,1}([*+-]) +/
const indentedItem = /^ {2,3}(?:\d+\.|[*+-]) +/

/** `1. item`. The list begins with the number that the first item has. */
export const orderedList: BlockRule = listRule('ol', ordered)

/** `- item`, also with `*` or `+`. */
export const unorderedList: BlockRule = listRule('ul', unordered)

/** Indented text after a list: another paragraph of its last item, or a nested list. */
export const listIndent: BlockRule = {
  matches: (chunk, parent, around) =>
    chunk.startsWith('  ') &&
    around !== 'detabbed' &&
    (parent.tag === 'li' || isList(parent.children.at(-1))),
  parse(chunk, parent, around, nested) {
    const { level, sibling } = levelOf(chunk, parent, around)
    const text = unindent(chunk, level * tab)
    const last = parent.children.at(-1)
    if (parent.tag === 'li') nested(last && isList(last) ? last : parent, [text], 'detabbed')
    else if (sibling.tag === 'li') nested(sibling, [text], 'detabbed')
    else {
      const inner = sibling.children.at(-1)
      if (inner?.tag !== 'li') nested(addBlock(sibling, 'li'), [text], 'detabbed')
      else {
        wrapText(inner)
        nested(inner, text.split('\n\n'), 'detabbed')
      }
    }
    return []
  },
}

/** `mark` alone says what begins an item, so that the chunk it matches has one. */
function listRule(tag: 'ol' | 'ul', mark: RegExp): BlockRule {
  return {
    matches: (chunk) => mark.test(chunk),
    parse(chunk, parent, _around, nested) {
      const items = itemsOf(chunk, mark)
      const start = tag === 'ol' ? (mark.exec(chunk)?.[1] ?? '').slice(0, 9) : '1'
      const list = listFor(parent, tag, start, items, nested)
      for (const text of items) {
        if (text.startsWith('  ')) nested(list.children.at(-1) ?? addBlock(list, 'li'), [text], 'list')
        else nested(addBlock(list, 'li'), [text], 'list')
      }
      return []
    },
  }
}

/** A list of the same kind right before goes on, and has paragraphs in its items from then on. */
function listFor(parent: Block, tag: string, start: string, items: string[], nested: Nested): Block {
  const before = parent.children.at(-1)
  if (before?.tag === tag) {
    const last = before.children.at(-1)
    if (last) wrapText(last)
    nested(addBlock(before, 'li'), [items.shift()!], 'loose list')
    return before
  }
  if (isList(parent)) return parent
  return addBlock(parent, tag, '', tag === 'ol' && start !== '1' ? { start } : {})
}

/** The text of each item. Lines that are indented as items of a list within are kept together as one. */
function itemsOf(chunk: string, mark: RegExp): string[] {
  const items: string[][] = []
  for (const line of chunk.split('\n')) {
    const [begin] = mark.exec(line) ?? []
    if (begin !== undefined) items.push([line.slice(begin.length)])
    else if (indentedItem.test(line) && !firstIn(lastIn(items)).startsWith('  ')) items.push([line])
    else lastIn(items).push(line)
  }
  return items.map((lines) => lines.join('\n'))
}

/** How many lists of the indentation are there already, and the last of them or its last item. */
function levelOf(chunk: string, parent: Block, around: Around): { level: number; sibling: Block } {
  const wanted = Math.floor(chunk.search(/[^ ]|$/) / tab)
  let level = around === 'list' ? 1 : 0
  let sibling = parent
  while (wanted > level) {
    const child = sibling.children.at(-1)
    if (!child || (!isList(child) && child.tag !== 'li')) break
    if (isList(child)) level++
    sibling = child
  }
  return { level, sibling }
}

/** Text of an item becomes a paragraph when the item gets more than text. */
function wrapText(block: Block): void {
  if (block.text !== '') {
    block.children.unshift({ tag: 'p', attributes: {}, text: block.text, children: [], tail: '' })
    block.text = ''
  }
  const last = block.children.at(-1)
  if (last?.tail) {
    addBlock(block, 'p', last.tail.trimStart())
    last.tail = ''
  }
}

function isList(block: Block | undefined): boolean {
  return block?.tag === 'ul' || block?.tag === 'ol'
}
