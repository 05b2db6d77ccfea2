/**
 * Returns how well a name fits what was typed, smaller is better: it begins with it, a word of it does, it contains it,
 * it contains its letters in order. Undefined if it does not fit. Both are in the form that `plain` makes.
 */
export function rankOf(name: string, typed: string): number | undefined {
  if (typed === '') return 5
  const rank = rankOfPart(name, typed, typed.split(' '))
  if (rank !== undefined || typed.length < 2) return rank
  let from = -1
  for (const letter of typed) {
    from = name.indexOf(letter, from + 1)
    if (from < 0) return undefined
  }
  return 4
}

/**
 * Returns the rank of a name that contains what was typed, or at least all of its `words`; undefined for any other
 * name.
 */
export function rankOfPart(name: string, typed: string, words: readonly string[]): number | undefined {
  const at = name.indexOf(typed)
  if (at === 0) return name.length === typed.length ? 0 : 1
  if (at > 0) return beforeWords.includes(name[at - 1] as string) ? 2 : 3
  return words.length > 1 && words.every((word) => name.includes(word)) ? 3 : undefined
}

/** The characters that may precede a word of a name. */
const beforeWords = ' \t\n\u00a0-_./#>('

/** A name without case and accents, for comparing. */
export function plain(name: string): string {
  const lowered = name.toLowerCase()
  // Most names need no more, and normalizing ten thousand takes longer than a frame.
  return isAscii(lowered) ? lowered : lowered.normalize('NFD').replace(/\p{M}/gu, '')
}

function isAscii(text: string) {
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) > 127) return false
  return true
}

/** The best of a list for what was typed. `names` are in the form of `plain`; equally good ones keep their order. */
export function bestMatches<T>(
  all: readonly T[],
  nameOf: (one: T) => string,
  typed: string,
  count: number,
): T[] {
  const wanted = plain(typed.trim())
  const ranks: T[][] = [[], [], [], [], [], []]
  for (const one of all) {
    const rank = rankOf(nameOf(one), wanted)
    if (rank !== undefined) ranks[rank]?.push(one)
  }
  return ranks.flat().slice(0, count)
}
