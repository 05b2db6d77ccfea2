import { narrowLimits } from './limits.ts'

/**
 * The scripts that are written without spaces between words, or with particles joined to them: Chinese, Japanese, Korean, Thai,
 * Lao, Khmer and Burmese. Words of theirs are found inside of sentences, by single characters and pairs of neighbors, of
 * which the index `message_unspaced` has all.
 */
const unspaced = new RegExp(
  `[${[
    '\\u0E00-\\u0EFF\\u1000-\\u109F\\u1780-\\u17FF',
    '\\u3005-\\u3007\\u3041-\\u3096\\u3099-\\u309F\\u30A1-\\u30FA\\u30FC-\\u30FF\\u3105-\\u312F\\u31F0-\\u31FF',
    '\\u3400-\\u4DBF\\u4E00-\\u9FFF\\uAC00-\\uD7A3\\uF900-\\uFAFF\\uFF66-\\uFF9F\\u{20000}-\\u{3FFFF}',
  ].join('')}]+`,
  'gu',
)

/** A word as a user writes it, with the digits and letters of other scripts that are joined to it: 3月5日, Rookery服务器. */
const word = /[\p{L}\p{M}\p{N}_]+/gu

/** Splits a text into the words that have characters of such scripts, and the rest. */
export function splitUnspaced(text: string): { joined: string[]; rest: string } {
  const joined = (text.match(word) ?? []).filter((one) => runsOf(one).length > 0)
  const rest = text.replace(word, (one) => (runsOf(one).length > 0 ? ' ' : one))
  return { joined: [...new Set(joined)], rest: rest.trim() }
}

/** The parts of a text in such scripts. */
export function runsOf(text: string): string[] {
  return [...new Set(text.match(unspaced) ?? [])]
}

/**
 * Returns the text of a tsquery for messages with these runs: the index must have all pairs of neighboring characters; for a run of a single
 * character, any pair that begins with it.
 */
export function pairsQuery(runs: string[]): string {
  const pairs = runs.flatMap((run) => {
    const characters = [...run]
    if (characters.length === 1) return `'${run}':*`
    return characters.slice(1).map((character, before) => `'${characters[before]}${character}'`)
  })
  return [...new Set(pairs)].slice(0, narrowLimits.unspacedPairs).join(' & ')
}
