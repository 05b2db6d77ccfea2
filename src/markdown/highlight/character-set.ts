import type { SetData } from './definition.ts'

/** Characters that a pattern names, by code points. */
export class CharacterSet {
  /** For each character of ASCII, whether it is one of them. */
  readonly ascii = new Uint8Array(128)
  readonly #negated: boolean
  readonly #characters: ReadonlySet<number>
  readonly #ranges: readonly number[]
  readonly #categories: string

  constructor([negated, characters, ranges, categories]: SetData) {
    this.#negated = negated === 1
    this.#characters = new Set([...characters].map((character) => character.codePointAt(0)!))
    this.#ranges = ranges
    this.#categories = categories
    for (let code = 0; code < 128; code++) this.ascii[code] = Number(this.#holds(code))
  }

  has(code: number): boolean {
    return code < 128 ? this.ascii[code] === 1 : this.#holds(code)
  }

  #holds(code: number): boolean {
    return this.#isNamed(code) !== this.#negated
  }

  #isNamed(code: number): boolean {
    if (this.#characters.has(code)) return true
    if (this.#isInRange(code)) return true
    for (const category of this.#categories) if (isOf(category, code)) return true
    return false
  }

  /** The ranges are in order, none within another. */
  #isInRange(code: number): boolean {
    let [low, high] = [0, this.#ranges.length / 2]
    while (low < high) {
      const middle = (low + high) >> 1
      if (code > this.#ranges[2 * middle + 1]!) low = middle + 1
      else high = middle
    }
    return low < this.#ranges.length / 2 && code >= this.#ranges[2 * low]!
  }
}

function isOf(category: string, code: number): boolean {
  switch (category) {
    case 'd':
      return (kindOf(code) & digit) !== 0
    case 'D':
      return (kindOf(code) & digit) === 0
    case 's':
      return (kindOf(code) & space) !== 0
    case 'S':
      return (kindOf(code) & space) === 0
    case 'w':
      return isWord(code)
    default:
      return !isWord(code)
  }
}

export function isWord(code: number): boolean {
  return (kindOf(code) & word) !== 0
}

const [digit, space, word, known] = [1, 2, 4, 8]
const kinds = new Uint8Array(65_536)

function kindOf(code: number): number {
  const before = kinds[code] ?? 0
  if (before !== 0) return before
  const character = String.fromCodePoint(code)
  const kind =
    known |
    (/\p{Nd}/u.test(character) ? digit : 0) |
    (/[\p{L}\p{N}_]/u.test(character) ? word : 0) |
    // As Python sees it: separators of information and the next line are space, the byte order mark is not.
    (/[\s\u001c-\u001f\u0085]/u.test(character) && code !== 0xfeff ? space : 0)
  if (code < kinds.length) kinds[code] = kind
  return kind
}
