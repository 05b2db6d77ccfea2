import { markdownLimits } from '../limits.ts'
import { CharacterSet } from './character-set.ts'
import type { Tree } from './definition.ts'
import { type First, firstOf } from './first.ts'

/** The instructions of a program, which `matcher.ts` runs. Their operands follow each of them. */
export const op = {
  match: 0,
  /** code */
  character: 1,
  /** set */
  set: 2,
  /** where else to go on */
  split: 3,
  /** to */
  jump: 4,
  /** slot */
  save: 5,
  /** set, least, most: characters of a set, one by one */
  greedy: 6,
  lazy: 7,
  possessive: 8,
  /** slot: remembers the position, by which `again` knows that a round has matched something */
  mark: 9,
  /** slot, to */
  again: 10,
  /** negated, characters behind, end */
  look: 11,
  /** end */
  atomic: 12,
  /** group */
  reference: 13,
  referenceInAnyCase: 14,
  /** group, where to go on without it */
  condition: 15,
  /** a place */
  place: 16,
  /** choices */
  choose: 17,
} as const

/** The alternatives to try, by the next character: for each one in ASCII, for any other, and at the end of the text. */
type Choices = {
  ways: readonly (readonly number[])[]
  ascii: Uint8Array
  others: number
  end: number
}

export type Program = {
  code: Int32Array
  sets: readonly CharacterSet[]
  choices: readonly Choices[]
  /** Slots: two for each group, then those of the marks. */
  slots: number
}

/** Undefined: the pattern would become too large. */
export function compile(tree: Tree, sets: readonly CharacterSet[]): Program | undefined {
  const compiler = new Compiler(sets, 2 * (largestGroup(tree) + 1))
  return compiler.run(tree)
}

class Compiler {
  readonly #code: number[] = []
  readonly #sets: CharacterSet[]
  readonly #known: readonly CharacterSet[]
  readonly #choices: Choices[] = []
  #slots: number

  constructor(sets: readonly CharacterSet[], slots: number) {
    this.#known = sets
    this.#sets = [...sets]
    this.#slots = slots
  }

  run(tree: Tree): Program | undefined {
    this.#emit(tree)
    this.#push(op.match)
    if (this.#code.length > markdownLimits.highlighterProgram) return undefined
    const [code, choices] = [Int32Array.from(this.#code), this.#choices]
    return { code, sets: this.#sets, choices, slots: this.#slots }
  }

  #push(...words: number[]): number {
    this.#code.push(...words)
    return this.#code.length
  }

  #emit(tree: Tree): void {
    if (this.#code.length > markdownLimits.highlighterProgram) return
    if (typeof tree === 'string') {
      for (const character of tree) this.#push(op.character, character.codePointAt(0)!)
      return
    }
    switch (tree[0]) {
      case 's':
        this.#push(op.set, tree[1])
        break
      case ',':
        for (const part of tree.slice(1) as Tree[]) this.#emit(part)
        break
      case '|':
        this.#emitChoice(tree.slice(1) as Tree[])
        break
      case '(':
        this.#push(op.save, 2 * tree[1])
        this.#emit(tree[2])
        this.#push(op.save, 2 * tree[1] + 1)
        break
      case '*':
        this.#emitRepetition(tree)
        break
      case '@':
        this.#push(op.place, tree[1].charCodeAt(0))
        break
      case '\\':
        this.#push(op.reference, tree[1])
        break
      case 'i':
        this.#push(op.referenceInAnyCase, tree[1])
        break
      case '?(':
        this.#emitCondition(tree)
        break
      case '?>':
        this.#emitInner(tree[1], op.atomic)
        break
      default:
        this.#emitInner(tree[1], op.look, Number(tree[0].endsWith('!')), tree[2] ?? 0)
    }
  }

  /** A program within the program, and where it ends. */
  #emitInner(inner: Tree, ...words: number[]): void {
    const at = this.#push(...words, 0) - 1
    this.#emit(inner)
    this.#code[at] = this.#push(op.match)
  }

  #emitChoice(parts: Tree[]): void {
    const firsts = parts.map((part) => firstOf(part, this.#known))
    this.#push(op.choose, this.#choices.length)
    const places: number[] = []
    const number = this.#choices.push({ ways: [], ascii: new Uint8Array(128), others: 0, end: 0 }) - 1
    const jumps = parts.map((part) => {
      places.push(this.#code.length)
      this.#emit(part)
      return this.#push(op.jump, 0) - 1
    })
    for (const jump of jumps) this.#code[jump] = this.#code.length
    this.#choices[number] = choicesOf(firsts, places)
  }

  #emitCondition([, group, yes, no]: Extract<Tree, ['?(', ...unknown[]]>): void {
    const otherwise = this.#push(op.condition, group, 0) - 1
    this.#emit(yes)
    const end = this.#push(op.jump, 0) - 1
    this.#code[otherwise] = this.#code.length
    this.#emit(no)
    this.#code[end] = this.#code.length
  }

  #emitRepetition([, least, most, kind, inner]: Extract<Tree, ['*', ...unknown[]]>): void {
    const set = this.#setOf(inner)
    if (set !== undefined) {
      const how = kind === 'g' ? op.greedy : kind === 'l' ? op.lazy : op.possessive
      this.#push(how, set, least, most < 0 ? 2 ** 30 : most)
      return
    }
    if (kind === 'p') {
      this.#emitInner(['*', least, most, 'g', inner], op.atomic)
      return
    }
    for (let i = 0; i < least && this.#code.length <= markdownLimits.highlighterProgram; i++)
      this.#emit(inner)
    if (most < 0) this.#emitLoop(inner, kind)
    else this.#emitOptional(inner, kind, most - least)
  }

  /** Returns the set of characters that the tree matches, if it matches exactly one character. */
  #setOf(tree: Tree): number | undefined {
    if (typeof tree !== 'string') return tree[0] === 's' ? tree[1] : undefined
    if ([...tree].length !== 1) return undefined
    return this.#sets.push(new CharacterSet([0, tree, [], ''])) - 1
  }

  #emitLoop(inner: Tree, kind: 'g' | 'l'): void {
    const start = this.#code.length
    const exits = [this.#emitFork(kind)]
    const mark = this.#slots++
    this.#push(op.mark, mark)
    this.#emit(inner)
    this.#push(op.again, mark, start)
    for (const exit of exits) this.#code[exit] = this.#code.length
  }

  /** One after the other, each only if those before it are there. */
  #emitOptional(inner: Tree, kind: 'g' | 'l', most: number): void {
    const exits: number[] = []
    for (let i = 0; i < most && this.#code.length <= markdownLimits.highlighterProgram; i++) {
      exits.push(this.#emitFork(kind))
      this.#emit(inner)
    }
    for (const exit of exits) this.#code[exit] = this.#code.length
  }

  /** Goes on with what comes next or with the exit, whose place it answers to be filled in. */
  #emitFork(kind: 'g' | 'l'): number {
    if (kind === 'g') return this.#push(op.split, 0) - 1
    const length = this.#code.length
    this.#push(op.split, length + 4)
    return this.#push(op.jump, 0) - 1
  }
}

function choicesOf(firsts: readonly First[], places: readonly number[]): Choices {
  const ways: number[][] = []
  const numbers = new Map<string, number>()
  const wayFor = (may: (first: First) => boolean) => {
    const way = places.filter((_, i) => may(firsts[i]!) || firsts[i]!.empty)
    const key = way.join()
    const number = numbers.get(key) ?? ways.push(way) - 1
    numbers.set(key, number)
    return number
  }
  const ascii = Uint8Array.from({ length: 128 }, (_, code) => wayFor((first) => first.ascii[code] === 1))
  return { ways, ascii, others: wayFor((first) => first.others), end: wayFor(() => false) }
}

function largestGroup(tree: Tree): number {
  if (typeof tree === 'string') return 0
  const own = ['(', '\\', 'i', '?('].includes(tree[0]) ? (tree[1] as number) : 0
  const inner = (tree.slice(1) as unknown[]).filter((part) => typeof part === 'object') as Tree[]
  return Math.max(own, ...inner.map(largestGroup))
}
