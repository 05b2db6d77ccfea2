import { at, type Pattern, patternOp } from './pattern.ts'

/** The remaining budget of a search: a step is an instruction at a position, some nanoseconds. */
export type Budget = { steps: number }

/**
 * Finds the matches of a pattern from given positions of a text, with backtracking. No path is tried twice: an
 * instruction that failed at a position always fails there, whatever led to it. So the whole search takes at most the
 * length of the text times the size of the pattern.
 */
export class PatternSearch {
  readonly #pattern: Pattern
  readonly #text: string
  readonly #places: readonly number[]
  readonly #budget: Budget
  #captures = none
  /** One bit for each place and instruction, once they are needed. */
  #failed = none
  /** Paths yet to try, as numbers of such bits, and captures to undo, as negative numbers. */
  readonly #pending: number[] = []
  #tried = 0
  #done = -1

  /** `places`: where a match may begin, in their order. */
  constructor(pattern: Pattern, text: string, places: readonly number[], budget: Budget) {
    this.#pattern = pattern
    this.#text = text
    this.#places = places
    this.#budget = budget
    budget.steps -= 10
  }

  /**
   * The next match; undefined if there is none, or the budget is spent. It is not empty, does not touch the one before,
   * and stands before anything but a letter or a digit.
   */
  next(): { start: number; end: number } | undefined {
    const text = this.#text
    const places = this.#places
    const pattern = this.#pattern
    const budget = this.#budget
    while (this.#tried < places.length && budget.steps-- > 0) {
      const start = places[this.#tried++]!
      if (!mayBegin(pattern, pattern.start, text.charCodeAt(start))) continue
      // Within the last match, what made it seems to have failed as well.
      if (start <= this.#done) continue
      const end = this.#endOfMatchAt(start)
      if (end === undefined || end === start) continue
      this.#done = end
      return { start, end }
    }
    return undefined
  }

  /** Returns the texts of the named groups of the last match. */
  groups(): Record<string, string> {
    const found = Object.entries(this.#pattern.groups).flatMap(([name, group]) => {
      const [start, end] = [this.#captures[2 * group]!, this.#captures[2 * group + 1]!]
      return start < 0 || end < 0 ? [] : [[name, this.#text.slice(start, end)] as const]
    })
    return Object.fromEntries(found)
  }

  #endOfMatchAt(start: number): number | undefined {
    if (this.#failed === none) this.#prepare()
    const pending = this.#pending
    this.#captures.fill(-1)
    pending.length = 0
    pending.push(start * this.#pattern.size + this.#pattern.start)
    while (pending.length > 0 && this.#budget.steps > 0) {
      this.#budget.steps -= 2
      const next = pending.pop()!
      const end = next < 0 ? this.#takeBack(next) : this.#follow(next)
      if (end !== undefined) return end
    }
    return undefined
  }

  #prepare() {
    const { size, captures } = this.#pattern
    this.#captures = new Int32Array(captures)
    this.#failed = new Int32Array(((this.#text.length + 1) * size + 31) >>> 5)
    this.#budget.steps -= 50 + (this.#failed.length >>> 3)
  }

  /** Follows one path to its end: returns where the match ends, or undefined. */
  #follow(from: number): number | undefined {
    const text = this.#text
    const { size, ops, outs, args } = this.#pattern
    let pc = from % size
    let place = (from - pc) / size
    while (this.#isNew(place * size + pc)) {
      switch (ops[pc]) {
        case patternOp.alternative:
        case patternOp.longest:
          this.#postpone(args[pc]!, place)
          break
        case patternOp.capture:
          this.#capture(args[pc]!, place)
          break
        case patternOp.assertion:
          if ((args[pc]! & ~conditionsAt(text, place)) !== 0) return undefined
          break
        case patternOp.nothing:
          break
        case patternOp.fail:
          return undefined
        case patternOp.match:
          return endsWord(text, place) ? place : undefined
        default: {
          const width = this.#read(pc, place)
          if (width === 0) return undefined
          place += width
        }
      }
      pc = outs[pc]!
    }
    return undefined
  }

  #isNew(bit: number): boolean {
    const mask = 1 << (bit & 31)
    const bits = this.#failed[bit >>> 5]!
    this.#failed[bit >>> 5] = bits | mask
    return (bits & mask) === 0 && this.#budget.steps-- > 0
  }

  #postpone(pc: number, place: number) {
    const mayHelp = mayBegin(this.#pattern, pc, this.#text.charCodeAt(place))
    if (mayHelp) this.#pending.push(place * this.#pattern.size + pc)
  }

  /** How long the character at this place is; 0 if it is none that this instruction reads. */
  #read(pc: number, place: number): number {
    const code = this.#text.charCodeAt(place)
    if (code < 128) return mayBegin(this.#pattern, pc, code) ? 1 : 0
    const rune = this.#text.codePointAt(place)
    this.#budget.steps -= 8
    return rune === undefined || !this.#pattern.reads(pc, rune) ? 0 : rune > 0xffff ? 2 : 1
  }

  #capture(index: number, place: number) {
    const before = this.#captures[index]! + 1
    this.#pending.push(-1 - (before * this.#captures.length + index))
    this.#captures[index] = place
  }

  #takeBack(pending: number): undefined {
    const index = (-1 - pending) % this.#captures.length
    this.#captures[index] = (-1 - pending - index) / this.#captures.length - 1
  }
}

const none = new Int32Array(0)

/** Whether a match may follow from an instruction if this character comes next; NaN at the end of the text. */
function mayBegin({ begins }: Pattern, instruction: number, code: number): boolean {
  return !(code < 128) || ((begins[4 * instruction + (code >>> 5)]! >>> (code & 31)) & 1) === 1
}

function conditionsAt(text: string, place: number): number {
  const before = place > 0 ? text.charCodeAt(place - 1) : -1
  const after = place < text.length ? text.charCodeAt(place) : -1
  return (
    (before < 0 ? at.textStart : 0) |
    (after < 0 ? at.textEnd : 0) |
    (before < 0 || before === newline ? at.lineStart : 0) |
    (after < 0 || after === newline ? at.lineEnd : 0) |
    (isWord(before) !== isWord(after) ? at.wordEdge : at.noWordEdge)
  )
}

const newline = 10

/** Letters, digits and the underscore of ASCII. */
function isWord(code: number): boolean {
  return (
    (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 48 && code <= 57) || code === 95
  )
}

function endsWord(text: string, place: number): boolean {
  const after = text.codePointAt(place)
  return after === undefined || !/[\p{L}\p{N}]/u.test(String.fromCodePoint(after))
}
