import type { CharacterSet } from './character-set.ts'

/** A word that the array has. Asserted here alone, as a check of each would slow down every step. */
export function wordOf(words: Int32Array, at: number): number {
  return words[at]!
}

/** Returns a character set that the program has. It is asserted here alone, as above. */
export function setOf(sets: readonly CharacterSet[], at: number): CharacterSet {
  return sets[at]!
}
