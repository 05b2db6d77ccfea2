import { fenceParts } from '../../../markdown/fences.ts'

/**
 * Returns a message's text without the content of its spoilers. Titles stay. Fences also count in quotes and lists, so
 * in doubt more text is hidden.
 */
export function withoutSpoilers(content: string): string {
  const kept: string[] = []
  // The open fences, the outermost first.
  const open: { fence: string; word: string }[] = []
  const isHidden = () => open.some(({ word }) => word === 'spoiler')
  for (const line of content.split('\n')) {
    const bare = line.replace(/^[\s>*+-]*/, '').trimEnd()
    const inner = open.at(-1)
    if (inner && bare === inner.fence) {
      open.pop()
      if (!isHidden() && inner.word !== 'spoiler') kept.push(line)
      continue
    }
    const begun = inner && !mayHold.has(inner.word) ? undefined : fenceParts(bare)
    const word = begun?.word.toLowerCase() ?? ''
    if (!isHidden()) kept.push(word === 'spoiler' ? `${begun!.rest || 'Spoiler'} (hidden)` : line)
    if (begun) open.push({ fence: begun.fence, word })
  }
  return kept.join('\n')
}

/** Only these blocks may contain fences. Code and formulas may not. */
const mayHold = new Set(['quote', 'quoted', 'spoiler'])
