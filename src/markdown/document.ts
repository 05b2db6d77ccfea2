import type { Block } from './blocks/block.ts'
import { codeBlock } from './blocks/code-block.ts'
import { parseBlocks } from './blocks/parse-blocks.ts'
import { foldSpoilers } from './blocks/spoiler.ts'
import type { Context } from './context.ts'
import { inline } from './inlines/inline.ts'
import { element, isElement, type Node } from './nodes.ts'

/** The blocks of a text, each followed by a newline. */
export function documentOf(text: string, context: Context): Node[] {
  return renderChildren(parseBlocks(text), context)
}

function renderChildren(parent: Block, context: Context): Node[] {
  const nodes: Node[] = []
  if (parent.text.trim() !== '') nodes.push(...inline(parent.text, context))
  else if (parent.children.length > 0 && parent.tag !== '') nodes.push('\n')
  for (const child of parent.children) {
    nodes.push(...nodesOf(child, context))
    if (child.tail.trim() === '') nodes.push('\n')
    else nodes.push(...inline(child.tail, context))
  }
  return foldSpoilers(nodes)
}

function nodesOf(block: Block, context: Context): Node[] {
  if (block.literal) return /[^\n]/.test(block.text) ? [codeBlock(block.text, '', context)] : ['']
  const made = block.tag === 'p' ? blockFromFence(block.text, context) : undefined
  if (made !== undefined) return made
  if (block.tag === 'blockquote') context.quotes++
  const node = element(block.tag, block.attributes, ...renderChildren(block, context))
  if (block.tag === 'blockquote') context.quotes--
  return [node]
}

/** Returns the nodes of a fenced block, which is not part of a paragraph. */
function blockFromFence(text: string, context: Context): Node[] | undefined {
  const node = context.only(text) ?? spoilerMark(text, context)
  if (node === undefined) return undefined
  return typeof node === 'object' && isElement(node) && node.tag === '' ? node.children : [node]
}

/** At the end of a quote a mark may have a newline after it. */
function spoilerMark(text: string, context: Context): Node | undefined {
  const node = context.only(text.trim())
  return node && isElement(node) && node.tag.startsWith('spoiler-') ? node : undefined
}
