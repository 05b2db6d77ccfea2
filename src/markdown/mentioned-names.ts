import type { Block } from './blocks/block.ts'
import { type Fence, resolveFences } from './blocks/fences.ts'
import { linesOf } from './blocks/lines.ts'
import { parseBlocks } from './blocks/parse-blocks.ts'
import { userMention } from './inlines/mention-syntax.ts'
import { replaceCode } from './inlines/replace-code.ts'

// The web client warns of mentions before a message is sent. It imports this, so that it finds those that rendering will find.

/**
 * Returns the names of the users and wildcards that a text mentions aloud, as they are written: each once, and some with an id. Whether
 * there is a user of the name is for the caller to know.
 */
export function mentionedNames(source: string): string[] {
  if (!source.includes('@**')) return []
  const text = resolveFences(linesOf(source), '', audible).join('\n')
  const found = new Set<string>()
  collect(parseBlocks(`${text}\n\n`), found)
  return [...found]
}

/** The lines between fences that can mention: those of spoilers. */
function audible({ kind, title, lines }: Fence): string[] {
  return kind === 'spoiler' ? ['', title, '', ...lines, ''] : ['']
}

function collect(block: Block, found: Set<string>) {
  if (block.literal || block.tag === 'blockquote') return
  addNamesIn(block.text, found)
  for (const child of block.children) {
    collect(child, found)
    addNamesIn(child.tail, found)
  }
}

function addNamesIn(text: string, found: Set<string>) {
  if (!text.includes('@**')) return
  // No mention begins right behind code.
  for (const [, underscore, name = ''] of replaceCode(text, () => '`').matchAll(userMention)) {
    if (underscore === '') found.add(name)
  }
}
