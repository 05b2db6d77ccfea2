import { CharacterSet } from './character-set.ts'
import { type Action, type Definition, type RuleData, readDefinition } from './definition.ts'
import { type First, firstOf } from './first.ts'
import { compile, type Program } from './program.ts'

type Regular = Extract<Definition, { states: unknown }>

/** A rule, of which the pattern is compiled when it is tried for the first time. Null: it is too large, and never fits. */
export type LexerRule = { program: Program | null | undefined; first: First; data: RuleData }

/** A lexer that goes from state to state by rules. */
export class RegularLexer {
  readonly size: number
  readonly #definition: Regular
  readonly #sets: CharacterSet[]
  readonly #rules: (LexerRule | undefined)[] = []
  readonly #candidates = new Map<string, (readonly LexerRule[] | undefined)[]>()
  readonly #renames: Map<string, [words: ReadonlySet<string>, to: string, unless: boolean][]>

  constructor(definition: Regular, size: number) {
    this.size = size
    this.#definition = definition
    this.#sets = definition.sets.map((set) => new CharacterSet(set))
    this.#renames = new Map()
    for (const { from, words, to, unless } of definition.renamed ?? []) {
      const set = new Set(words)
      for (const name of from) {
        const rename = [set, to, unless ?? false] as [ReadonlySet<string>, string, boolean]
        this.#renames.set(name, [...(this.#renames.get(name) ?? []), rename])
      }
    }
  }

  hasState(name: string): boolean {
    return this.#definition.states[name] !== undefined
  }

  /** The rules of a state that may fit where this character is next; undefined is the end of the text. */
  rulesFor(state: string, code: number | undefined): readonly LexerRule[] {
    let known = this.#candidates.get(state)
    if (!known) {
      known = []
      this.#candidates.set(state, known)
    }
    const key = code === undefined ? 129 : Math.min(code, 128)
    known[key] ??= this.#rulesOf(state).filter(({ first }) => {
      if (first.empty) return true
      return key === 129 ? false : key === 128 ? first.others : first.ascii[key] === 1
    })
    return known[key]
  }

  programOf(rule: LexerRule): Program | null {
    if (rule.program === undefined) rule.program = compile(rule.data[0], this.#sets) ?? null
    return rule.program
  }

  renamed(name: string, text: string): string {
    for (const [words, to, unless] of this.#renames.get(name) ?? []) {
      if (words.has(text) !== unless) return to
    }
    return name
  }

  #rulesOf(state: string): LexerRule[] {
    return this.#definition.states[state]!.map((number) => {
      const data = this.#definition.rules[number]!
      this.#rules[number] ??= { program: undefined, first: firstOf(data[0], this.#sets), data }
      return this.#rules[number]
    })
  }
}

/** A lexer for code within text: the gaps of the one belong to the other. */
export type AroundLexer = { size: number; around: string; within: string; gap: string }

type GeneratedLexer = RegularLexer | AroundLexer

const lexers = new Map<string, GeneratedLexer>()

/** The lexer that a file describes. It is read when it is first asked for, and kept. */
export function generatedLexer(name: string): GeneratedLexer {
  const known = lexers.get(name)
  if (known) return known
  const { definition, size } = readDefinition(name)
  const made = 'states' in definition ? new RegularLexer(definition, size) : { ...definition, size }
  lexers.set(name, made)
  return made
}

export function isGroups(action: Action): action is ['g', Action[]] {
  return typeof action === 'object' && action !== null && action[0] === 'g'
}
