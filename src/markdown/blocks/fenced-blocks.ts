import type { Context } from '../context.ts'
import { formulaBlock } from '../math/math.ts'
import { element, type Node } from '../nodes.ts'
import { codeBlock } from './code-block.ts'
import { type Fence, isBlank, resolveFences } from './fences.ts'
import { spoilerEnd, spoilerMiddle, spoilerStart } from './spoiler.ts'

/** The lines of a source in which a placeholder stands for each block between fences, and quotes begin with `> `. */
export function withFencedBlocks(lines: string[], context: Context): string[] {
  return resolveFences(lines, context.lookup.defaultCodeLanguage ?? '', (fence) =>
    linesOfFence(fence, context),
  )
}

function linesOfFence(fence: Fence, context: Context): string[] {
  const text = fence.lines.join('\n')
  const kept = (node: Node) => context.keep(node, text)
  switch (fence.kind) {
    case 'spoiler':
      return [
        '',
        kept(spoilerStart),
        '',
        fence.title,
        '',
        kept(spoilerMiddle),
        '',
        ...fence.lines,
        '',
        kept(spoilerEnd),
        '',
      ]
    case 'code':
      return ['', kept(codeBlock(text, fence.word, context)), '']
    case 'math':
      if (isBlank(fence)) break
      return ['', kept({ tag: '', attributes: {}, children: formulaBlock(text, context) }), '']
  }
  return ['', kept(element('p', {}, `${fence.opening}\n${fence.fence}`)), '']
}
