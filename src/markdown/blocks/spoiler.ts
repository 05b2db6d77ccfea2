import { firstIn, lastIn, must } from '../../lib/must.ts'
import { element, isElement, type Node } from '../nodes.ts'

/** They stand for the beginning, the end of the title and the end of a spoiler until its blocks are known. */
export const spoilerStart = element('spoiler-start', {})
export const spoilerMiddle = element('spoiler-middle', {})
export const spoilerEnd = element('spoiler-end', {})

/** Blocks with what stands between the marks put into spoilers: a title that is shown, and a content that is not. */
export function foldSpoilers(blocks: Node[]): Node[] {
  const open: { title: Node[] | undefined; blocks: Node[] }[] = [{ title: undefined, blocks: [] }]
  const close = () => {
    const { title, blocks } = must(open.pop(), 'open spoiler')
    lastIn(open).blocks.push(spoiler(title ?? [], blocks))
  }
  for (const block of blocks) {
    const inner = lastIn(open)
    if (block === spoilerStart) open.push({ title: undefined, blocks: ['\n'] })
    else if (block === spoilerMiddle && open.length > 1 && !inner.title) {
      inner.title = inner.blocks
      inner.blocks = ['\n']
    } else if (block === spoilerEnd && open.length > 1) close()
    else if (!isMark(block)) inner.blocks.push(block)
  }
  while (open.length > 1) close()
  return firstIn(open).blocks
}

function isMark(node: Node): boolean {
  return isElement(node) && (node === spoilerStart || node === spoilerMiddle || node === spoilerEnd)
}

function spoiler(title: Node[], content: Node[]): Node {
  return element(
    'div',
    { class: 'spoiler-block' },
    element('div', { class: 'spoiler-header' }, ...title),
    element('div', { class: 'spoiler-content', 'aria-hidden': 'true' }, ...content),
  )
}
