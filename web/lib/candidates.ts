import { plain, rankOfPart } from './fuzzy.ts'

/** Something that can be suggested, with the texts by which it is found, in the form that `plain` makes. */
export type Candidate<T> = {
  value: T
  /** The first one counts most. */
  texts: readonly string[]
}

type Found<T> = { value: T; rank: number; weight: number; index: number }

/** For each list, what was searched in it last and which candidates fitted, by their indices. */
const narrowed = new WeakMap<readonly Candidate<unknown>[], { query: string; matches: number[] }>()

/**
 * Returns the best candidates for what was typed, the best first: those that begin with it, then those of which a word
 * does, then those that contain it. Among those of one rank, the ones with more weight come first, and then the order of
 * the candidates counts. Lists are not to be changed, only replaced: while the user types on, only what fitted the
 * beginning is looked at again.
 */
export function bestCandidates<T>(
  candidates: readonly Candidate<T>[],
  typed: string,
  limit: number,
  weightOf: (value: T) => number = () => 0,
): T[] {
  const query = plain(typed).trim()
  const before = narrowed.get(candidates)
  // A name that matches a text also matches its beginning.
  const among = before?.query && query.startsWith(before.query) ? before.matches : undefined
  const words = query.split(' ')
  const count = among?.length ?? candidates.length
  const [found, matches]: [Found<T>[], number[]] = [[], []]
  for (let i = 0; i < count; i++) {
    const index = among?.[i] ?? i
    const { value, texts } = candidates[index] as Candidate<T>
    const rank = query === '' ? 0 : bestRank(texts, query, words)
    if (rank === undefined) continue
    matches.push(index)
    const last = found[limit - 1]
    if (last && rank > last.rank) continue
    insert(found, { value, rank, weight: weightOf(value), index }, limit)
  }
  narrowed.set(candidates, { query, matches })
  return found.map(({ value }) => value)
}

function insert<T>(found: Found<T>[], one: Found<T>, limit: number) {
  const last = found[limit - 1]
  if (last && compare(one, last) >= 0) return
  const at = found.findIndex((other) => compare(one, other) < 0)
  found.splice(at < 0 ? found.length : at, 0, one)
  if (found.length > limit) found.pop()
}

function bestRank(texts: readonly string[], query: string, words: readonly string[]): number | undefined {
  let rank: number | undefined
  for (let i = 0; i < texts.length; i++) {
    const one = rankOfPart(texts[i] as string, query, words)
    if (one === undefined) continue
    // Matches of a lesser text stand behind matches of the first one of the same kind.
    const ranked = one + (i === 0 ? 0 : 0.5)
    if (rank === undefined || ranked < rank) rank = ranked
    if (rank <= 1) break
  }
  return rank
}

function compare<T>(a: Found<T>, b: Found<T>) {
  return a.rank - b.rank || b.weight - a.weight || a.index - b.index
}
