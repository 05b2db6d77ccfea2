/**
 * The scripts that are written without spaces between words, or with particles joined to them: Chinese, Japanese, Korean, Thai,
 * Lao, Khmer and Burmese. Words of theirs are found inside of sentences, by single characters and pairs of neighbours, of
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

/** More would not make the index find less: the texts themselves are compared anyway. */
const mostGrams = 40

/** Splits a text into the parts in such scripts, and the rest. */
export function splitUnspaced(text: string): { runs: string[]; rest: string } {
  return { runs: [...new Set(text.match(unspaced) ?? [])], rest: text.replace(unspaced, ' ').trim() }
}

/** What the index must have of a message with these runs: the pairs of neighbours; of a single character, that one. */
export function gramsOf(runs: string[]): string[] {
  const grams = runs.flatMap((run) => {
    const characters = [...run]
    if (characters.length === 1) return characters
    return characters.slice(1).map((character, before) => characters[before] + character)
  })
  return [...new Set(grams)].slice(0, mostGrams)
}
