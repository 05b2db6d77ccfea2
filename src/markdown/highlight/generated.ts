import { markdownLimits } from '../limits.ts'
import type { Action } from './definition.ts'
import { languageFor } from './languages.ts'
import { Matcher, OutOfSteps, type Steps } from './matcher.ts'
import { type AroundLexer, generatedLexer, isGroups, type LexerRule, RegularLexer } from './regular.ts'
import { sessions, sessionTokens } from './session.ts'
import type { Token } from './token.ts'

/**
 * Tokens of code, together all of it, by a lexer that was made from a definition of Pygments. When the steps are used
 * up, the rest stays plain.
 */
export function generatedTokens(
  code: string,
  lexer: string,
  states: readonly string[],
  steps: Steps,
): Token[] {
  return new Lexing(steps).tokens(code, lexer, states, 0)
}

class Lexing {
  readonly steps: Steps
  readonly #used: Set<string>

  constructor(steps: Steps) {
    this.steps = steps
    steps.lexers ??= new Set()
    this.#used = steps.lexers
  }

  tokens(code: string, name: string, states: readonly string[], depth: number): Token[] {
    const isNew = !this.#used.has(name)
    if (this.steps.left < 0 || (isNew && this.#used.size >= markdownLimits.highlighters)) return [['', code]]
    if (name.startsWith('=')) return this.#session(code, name.slice(1), depth)
    const lexer = generatedLexer(name)
    // There is more to make of a larger one when it is used for the first time.
    if (isNew) this.steps.left -= lexer.size
    this.#used.add(name)
    if (!(lexer instanceof RegularLexer)) return this.#around(code, lexer, depth)
    return new Run(this, lexer, { name, text: code, depth }).run(states)
  }

  #session(code: string, name: string, depth: number): Token[] {
    const { prompt, lexer } = sessions[name]!
    return sessionTokens(code, prompt, (text) => this.tokens(text, lexer, ['root'], depth))
  }

  /** Code in the language that a word means. */
  named(code: string, word: string, otherwise: string, depth: number): Token[] {
    const lexer = depth < markdownLimits.highlighterDepth ? languageFor(word)?.lexer : undefined
    return lexer ? this.tokens(code, lexer, ['root'], depth + 1) : [[otherwise, code]]
  }

  /** The code within, with the text around it in its gaps. */
  #around(code: string, { around, within, gap }: AroundLexer, depth: number): Token[] {
    if (depth >= markdownLimits.highlighterDepth) return [['', code]]
    const inner = this.tokens(code, within, ['root'], depth + 1)
    const text = inner.map(([name, part]) => (name === gap ? part : '')).join('')
    const outer = this.tokens(text, around, ['root'], depth + 1)
    const result: Token[] = []
    let [at, taken] = [0, 0]
    for (const token of inner) {
      if (token[0] !== gap) {
        result.push(token)
        continue
      }
      for (let wanted = token[1].length; wanted > 0; ) {
        const [name, part] = outer[at]!
        const piece = part.slice(taken, taken + wanted)
        result.push([name, piece])
        wanted -= piece.length
        taken += piece.length
        if (taken < part.length) continue
        at++
        taken = 0
      }
    }
    return result
  }
}

/** What a lexer reads. `name`: that of the lexer; `depth`: within how many other lexers it runs. */
type Part = { name: string; text: string; depth: number }

/** One lexer on one text. */
class Run {
  readonly #lexing: Lexing
  readonly #lexer: RegularLexer
  readonly #name: string
  readonly #text: string
  readonly #depth: number
  readonly #result: Token[] = []
  readonly #matcher: Matcher
  /** The index at which each character begins, if some take two UTF-16 code units. */
  readonly #places: number[] | undefined
  #stack: string[] = []

  constructor(lexing: Lexing, lexer: RegularLexer, { name, text, depth }: Part) {
    this.#lexing = lexing
    this.#lexer = lexer
    this.#name = name
    this.#text = text
    this.#depth = depth
    const { codes, places } = charactersOf(text)
    this.#places = places
    this.#matcher = new Matcher(codes, lexing.steps)
  }

  run(states: readonly string[]): Token[] {
    this.#stack = [...states]
    let position = 0
    try {
      const end = this.#matcher.codes.length
      for (let turns = 0; position <= end; ) {
        const next = turns > markdownLimits.highlighterTurns ? -1 : this.#step(position)
        turns = next === position ? turns + 1 : 0
        if (next >= 0) position = next
        else if (position === end) break
        else this.#skip(position++)
      }
    } catch (error) {
      if (!(error instanceof OutOfSteps)) throw error
      const done = this.#result.reduce((length, [, part]) => length + part.length, 0)
      this.#result.push(['', this.#text.slice(done)])
    }
    return this.#result
  }

  /** Marks a character that no rule matches as an error. A newline instead returns to the root state. */
  #skip(position: number): void {
    const isNewline = this.#matcher.codes[position] === 10
    if (isNewline) this.#stack = ['root']
    this.#add(isNewline ? 'w' : 'err', position, position + 1)
  }

  /** The position after what the first rule that fits has taken; -1 if none fits. */
  #step(position: number): number {
    const { codes } = this.#matcher
    const rules = this.#lexer.rulesFor(this.#stack.at(-1)!, codes[position])
    for (const rule of rules) {
      const program = this.#lexer.programOf(rule)
      const end = program === null ? -1 : this.#matcher.match(program, position)
      if (end < 0 || (end === position && rule.data[2] === undefined)) continue
      this.#apply(rule, position, end)
      return end
    }
    return -1
  }

  #apply({ data: [, action, next] }: LexerRule, start: number, end: number): void {
    if (isGroups(action)) this.#applyGroups(action[1], start, end)
    else this.#act(action, start, end)
    if (typeof next === 'number') this.#stack.length = Math.max(1, this.#stack.length + next)
    else for (const state of next ?? []) this.#go(state)
  }

  #go(state: string): void {
    if (state === '#pop') this.#stack.length = Math.max(1, this.#stack.length - 1)
    else if (this.#stack.length < markdownLimits.highlighterStates)
      this.#stack.push(state === '#push' ? this.#stack.at(-1)! : state)
  }

  /** Text in no group, or in one without an action, is plain. */
  #applyGroups(actions: Action[], start: number, end: number): void {
    const groups = this.#matcher.slots.slice(2, 2 + 2 * actions.length)
    let done = start
    for (const [index, action] of actions.entries()) {
      const [from, to] = [groups[2 * index]!, groups[2 * index + 1]!]
      if (action === null || from < done || to <= from) continue
      this.#add('', done, from)
      if (action[0] === 'n' && typeof action !== 'string') {
        const word = this.#slice(groups[2 * (action[1] - 1)]!, groups[2 * action[1] - 1]!)
        this.#result.push(...this.#lexing.named(this.#slice(from, to), word, action[2], this.#depth))
      } else this.#act(action, from, to)
      done = to
    }
    this.#add('', done, end)
  }

  #act(action: Action, start: number, end: number): void {
    if (typeof action !== 'object' || action === null || action[0] !== 'u') {
      this.#add(typeof action === 'string' ? action : '', start, end)
    } else if (start < end) {
      const [, other, states] = action
      const text = this.#slice(start, end)
      if (this.#depth >= markdownLimits.highlighterDepth) this.#result.push(['', text])
      else this.#result.push(...this.#lexing.tokens(text, other || this.#name, states, this.#depth + 1))
    }
  }

  #add(name: string, start: number, end: number): void {
    if (start >= end) return
    const text = this.#slice(start, end)
    this.#result.push([this.#lexer.renamed(name, text), text])
  }

  #slice(start: number, end: number): string {
    return this.#places
      ? this.#text.slice(this.#places[start], this.#places[end])
      : this.#text.slice(start, end)
  }
}

function charactersOf(text: string): { codes: Int32Array; places: number[] | undefined } {
  if (!/[\ud800-\udfff]/.test(text)) {
    const codes = new Int32Array(text.length)
    for (let i = 0; i < text.length; i++) codes[i] = text.charCodeAt(i)
    return { codes, places: undefined }
  }
  const [codes, places] = [[] as number[], [] as number[]]
  for (let at = 0; at < text.length; ) {
    const code = text.codePointAt(at)!
    codes.push(code)
    places.push(at)
    at += code > 0xffff ? 2 : 1
  }
  places.push(text.length)
  return { codes: Int32Array.from(codes), places }
}
