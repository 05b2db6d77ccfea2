import { type Around, addBlock, type BlockRule, unindent } from './block.ts'

/** `# Heading`, of six levels. It needs no blank line around it. */
export const heading: BlockRule = lineRule(/(?:^|\n)(#{1,6})\s([^\n]*)(?:\n|$)/, (match, parent) => {
  const written = match[2] ?? ''
  let end = written.length
  while (written[end - 1] === '#') end -= 1
  addBlock(parent, `h${match[1]?.length}`, written.slice(0, end).trim())
})

/** Three or more of `-`, `_` or `*` draw a line. */
export const rule: BlockRule = lineRule(
  /(?:^|\n) {0,3}(?:(?:- {0,2}){3,}|(?:_ {0,2}){3,}|(?:\* {0,2}){3,}) *(?:\n|$)/,
  (_, parent) => {
    addBlock(parent, 'hr')
  },
)

/** A rule for a line anywhere in a chunk: parses the text before it first. */
function lineRule(
  pattern: RegExp,
  add: (match: RegExpExecArray, parent: Parameters<BlockRule['parse']>[1]) => void,
): BlockRule {
  return {
    matches: (chunk) => pattern.test(chunk),
    parse(chunk, parent, around, nested) {
      const match = pattern.exec(chunk)!
      const before = chunk.slice(0, match.index)
      if (before !== '') nested(parent, [before], around)
      add(match, parent)
      const after = chunk.slice(match.index + match[0].length)
      return after === '' ? [] : [looseText(after, around)]
    },
  }
}

function looseText(text: string, around: Around): string {
  return around === 'loose list' ? unindent(text, 4) : text
}
