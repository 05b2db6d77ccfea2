import { isWord } from './character-set.ts'
import { op, type Program } from './program.ts'
import { setOf, wordOf } from './words.ts'

// As constants of this module, which is quicker than to look them up each time.
const {
  again: doAgain,
  atomic: doAtomic,
  character: doCharacter,
  choose: doChoose,
  condition: doCondition,
  greedy: doGreedy,
  jump: doJump,
  lazy: doLazy,
  look: doLook,
  mark: doMark,
  match: doMatch,
  place: doPlace,
  possessive: doPossessive,
  referenceInAnyCase: doReferenceInAnyCase,
  save: doSave,
  set: doSet,
  split: doSplit,
} = op

/** The steps that are left for highlighting a message, and the lexers that it has used. */
export type Steps = { left: number; lexers?: Set<string> }

/** The work that was allowed is done. */
export class OutOfSteps extends Error {}

/**
 * Runs patterns on one text, as Python's `re` would, with a number of steps for all of them: no pattern, however it
 * searches, takes more time than that.
 */
export class Matcher {
  readonly codes: Int32Array
  readonly #steps: Steps
  /** The positions at which the groups of the last match begin and end; -1 for groups that are not part of it. */
  slots = new Int32Array(64)
  /** Ways that are still open, four words each: kind, where in the program, where in the text, and one more. */
  #ways = new Int32Array(256)
  #open = 0

  constructor(codes: Int32Array, steps: Steps) {
    this.codes = codes
    this.#steps = steps
  }

  /** The end of a match that begins at a position; -1 if there is none. */
  match(program: Program, position: number): number {
    if (program.slots > this.slots.length) this.slots = new Int32Array(2 * program.slots)
    this.slots.fill(-1, 0, program.slots)
    this.#open = 0
    // To begin costs something as well.
    this.#steps.left -= 4
    return this.#run(program, 0, position)
  }

  #add(kind: number, place: number, position: number, more: number): void {
    if (this.#open + 4 > this.#ways.length) {
      if (this.#ways.length > 2 ** 22) throw new OutOfSteps()
      const larger = new Int32Array(2 * this.#ways.length)
      larger.set(this.#ways)
      this.#ways = larger
    }
    const [ways, at] = [this.#ways, this.#open]
    ways[at] = kind
    ways[at + 1] = place
    ways[at + 2] = position
    ways[at + 3] = more
    this.#open = at + 4
  }

  #set(slot: number, position: number): void {
    this.#add(restoring, slot, wordOf(this.slots, slot), 0)
    this.slots[slot] = position
  }

  #run(program: Program, start: number, from: number): number {
    const { code, sets } = program
    const { codes } = this
    const base = this.#open
    let place = start
    let position = from
    for (;;) {
      if (--this.#steps.left < 0) throw new OutOfSteps()
      let fits = true
      switch (code[place]) {
        case doMatch:
          return position
        case doCharacter:
          fits = codes[position] === code[place + 1]
          position++
          place += 2
          break
        case doSet:
          fits = position < codes.length && setOf(sets, wordOf(code, place + 1)).has(wordOf(codes, position))
          position++
          place += 2
          break
        case doSplit:
          this.#add(resuming, wordOf(code, place + 1), position, 0)
          place += 2
          break
        case doJump:
          place = wordOf(code, place + 1)
          break
        case doSave:
        case doMark:
          this.#set(wordOf(code, place + 1), position)
          place += 2
          break
        case doAgain:
          place = position === this.slots[wordOf(code, place + 1)] ? place + 3 : wordOf(code, place + 2)
          break
        case doChoose: {
          const to = this.#choose(program, wordOf(code, place + 1), position)
          fits = to >= 0
          place = to
          break
        }
        case doPlace:
          fits = this.#isAt(wordOf(code, place + 1), position)
          place += 2
          break
        default: {
          const after = this.#runSpecial(program, place, position)
          fits = after >= 0
          position = after
          place = this.#next
        }
      }
      if (fits) continue
      if (!this.#goBack(program, base)) return -1
      place = this.#next
      position = this.#at
    }
  }

  /** The next instruction, for functions that also return a position. */
  #next = 0
  #at = 0

  /** Takes the newest way that is open; false if there is none of this run. */
  #goBack(program: Program, base: number): boolean {
    while (this.#open > base) {
      const at = this.#open - 4
      const [kind, place] = [wordOf(this.#ways, at), wordOf(this.#ways, at + 1)]
      const [position, more] = [wordOf(this.#ways, at + 2), wordOf(this.#ways, at + 3)]
      this.#open = at
      if (kind === restoring) {
        this.slots[place] = position
        continue
      }
      this.#next = place
      this.#at = position
      if (kind === resuming) return true
      if (kind === shortening) {
        if (position > more) this.#add(shortening, place, position - 1, more)
        return true
      }
      if (this.#lengthen(program, place, position, more)) return true
    }
    return false
  }

  /** One character more for what takes as few as it can. */
  #lengthen(program: Program, place: number, position: number, most: number): boolean {
    const set = setOf(program.sets, wordOf(program.code, place + 1))
    if (position >= most || position >= this.codes.length || !set.has(wordOf(this.codes, position)))
      return false
    this.#add(lengthening, place, position + 1, most)
    this.#next = place + 4
    this.#at = position + 1
    return true
  }

  #choose({ choices }: Program, number: number, position: number): number {
    const { ways: all, ascii, others, end } = choices[number]!
    const code = this.codes[position]
    const ways = all[code === undefined ? end : code < 128 ? ascii[code]! : others]!
    for (let i = ways.length - 1; i > 0; i--) this.#add(resuming, ways[i]!, position, 0)
    return ways.length === 0 ? -1 : ways[0]!
  }

  /** The position after an instruction that is more than a step; -1 if it does not fit. */
  #runSpecial(program: Program, place: number, position: number): number {
    const { code } = program
    switch (code[place]) {
      case doGreedy:
      case doPossessive:
      case doLazy:
        this.#next = place + 4
        return this.#repeat(place, position, program)
      case doLook:
        return this.#look(program, place, position)
      case doAtomic: {
        const [ways, to] = [this.#open, wordOf(code, place + 1)]
        const end = this.#run(program, place + 2, position)
        this.#forget(ways, end >= 0)
        this.#next = to
        return end
      }
      case doCondition:
        this.#next =
          wordOf(this.slots, 2 * wordOf(code, place + 1) + 1) >= 0 ? place + 3 : wordOf(code, place + 2)
        return position
      default:
        this.#next = place + 2
        return this.#refer(wordOf(code, place + 1), position, code[place] === doReferenceInAnyCase)
    }
  }

  #repeat(place: number, position: number, { code, sets }: Program): number {
    const [how, set] = [wordOf(code, place), setOf(sets, wordOf(code, place + 1))]
    const [least, most] = [wordOf(code, place + 2), wordOf(code, place + 3)]
    const wanted = Math.min(position + (how === doLazy ? least : most), this.codes.length)
    let end = position
    while (end < wanted && set.has(wordOf(this.codes, end))) end++
    this.#steps.left -= (end - position) >> 3
    if (end < position + least) return -1
    if (how === doGreedy && end > position + least)
      this.#add(shortening, place + 4, end - 1, position + least)
    if (how === doLazy) this.#add(lengthening, place, end, Math.min(position + most, 2 ** 30))
    return end
  }

  #look(program: Program, place: number, position: number): number {
    const negated = wordOf(program.code, place + 1)
    const behind = wordOf(program.code, place + 2)
    const ways = this.#open
    const end = position < behind ? -1 : this.#run(program, place + 4, position - behind)
    const fits = end >= 0
    this.#forget(ways, fits && negated === 0)
    this.#next = wordOf(program.code, place + 3)
    return fits === (negated === 0) ? position : -1
  }

  /** Ends the ways that an inner run has left open. What groups were before is restored later, or now. */
  #forget(ways: number, keepsGroups: boolean): void {
    let kept = ways
    for (let at = ways; at < this.#open; at += 4) {
      if (this.#ways[at] !== restoring) continue
      this.#ways.copyWithin(kept, at, at + 4)
      kept += 4
    }
    this.#open = kept
    if (keepsGroups) return
    for (; this.#open > ways; this.#open -= 4) {
      this.slots[wordOf(this.#ways, this.#open - 3)] = wordOf(this.#ways, this.#open - 2)
    }
  }

  #refer(group: number, position: number, inAnyCase: boolean): number {
    const [start, end] = [wordOf(this.slots, 2 * group), wordOf(this.slots, 2 * group + 1)]
    if (start < 0 || end < 0 || position + end - start > this.codes.length) return -1
    this.#steps.left -= (end - start) >> 3
    for (let i = start; i < end; i++) {
      const [one, other] = [wordOf(this.codes, i), wordOf(this.codes, position + i - start)]
      if (one !== other && !(inAnyCase && lower(one) === lower(other))) return -1
    }
    return position + end - start
  }

  #isAt(place: number, position: number): boolean {
    const { codes } = this
    const last = codes.length
    switch (String.fromCharCode(place)) {
      case '^':
        return position === 0 || codes[position - 1] === newline
      case '$':
        return position === last || codes[position] === newline
      case 'A':
        return position === 0
      case 'Z':
        return position === last
      case 'z':
        return position === last || (position === last - 1 && codes[position] === newline)
      default: {
        const before = position > 0 && isWord(wordOf(this.codes, position - 1))
        const after = position < last && isWord(wordOf(this.codes, position))
        return (before !== after) === (place === wordEnd)
      }
    }
  }
}

const [resuming, restoring, shortening, lengthening] = [0, 1, 2, 3]
const newline = 10
const wordEnd = 'b'.charCodeAt(0)

function lower(code: number): string {
  return String.fromCodePoint(code).toLowerCase()
}
