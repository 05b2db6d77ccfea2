import { plain, rankOf } from './fuzzy.ts'

/** Something that can be suggested, with the texts by which it is found, in the form that `plain` makes. */
export type Candidate<T> = {
  value: T
  /** The first one counts most. */
  texts: readonly string[]
}

type Found<T> = { value: T; rank: number; weight: number; index: number }

/** Above this, a text only has the typed letters somewhere: good for a jump, but too little to suggest a mention. */
const worst = 3

/**
 * Returns the best candidates for what was typed, the best first: those that begin with it, then those of which a word
 * does, then those that contain it. Among those of one rank, the ones with more weight come first, and then the order of
 * the candidates counts.
 */
export function bestCandidates<T>(
  candidates: readonly Candidate<T>[],
  typed: string,
  limit: number,
  weightOf: (value: T) => number = () => 0,
): T[] {
  const query = plain(typed).trim()
  const found: Found<T>[] = []
  for (let index = 0; index < candidates.length; index++) {
    const { value, texts } = candidates[index] as Candidate<T>
    const rank = bestRank(texts, query)
    if (rank === undefined) continue
    const one = { value, rank, weight: weightOf(value), index }
    const last = found[limit - 1]
    if (last && compare(one, last) >= 0) continue
    const at = found.findIndex((other) => compare(one, other) < 0)
    found.splice(at < 0 ? found.length : at, 0, one)
    if (found.length > limit) found.pop()
  }
  return found.map(({ value }) => value)
}

function bestRank(texts: readonly string[], query: string): number | undefined {
  if (query === '') return 0
  let rank: number | undefined
  for (let i = 0; i < texts.length; i++) {
    const one = rankOf(texts[i] as string, query)
    if (one === undefined || one > worst) continue
    // Matches of a lesser text stand behind matches of the first one of the same kind.
    const ranked = one + (i === 0 ? 0 : 0.5)
    if (rank === undefined || ranked < rank) rank = ranked
  }
  return rank
}

function compare<T>(a: Found<T>, b: Found<T>) {
  return a.rank - b.rank || b.weight - a.weight || a.index - b.index
}
