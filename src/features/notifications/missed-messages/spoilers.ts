import { fenceParts } from '../../../markdown/fences.ts'

/**
 * A message's text with what its spoilers hide left out; their titles stay. Fences count in quotes and lists, too: rather
 * too much is hidden than too little.
 */
export function withoutSpoilers(content: string): string {
  const kept: string[] = []
  // The fences that are open, the outermost first.
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

/** Code and formulas hold no fences. */
const mayHold = new Set(['quote', 'quoted', 'spoiler'])
