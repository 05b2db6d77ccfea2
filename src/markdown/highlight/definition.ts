import { readFileSync } from 'node:fs'

/** A pattern as a tree; scripts/highlighting/patterns.py says what each form means. */
export type Tree =
  | string
  | [',' | '|', ...Tree[]]
  | ['s', set: number]
  | ['(', group: number, inner: Tree]
  | ['*', least: number, most: number, kind: 'g' | 'l' | 'p', inner: Tree]
  | ['?=' | '?!', inner: Tree]
  | ['?<=' | '?<!', inner: Tree, width: number]
  | ['\\' | 'i', group: number]
  | ['?(', group: number, yes: Tree, no: Tree]
  | ['@', place: string]
  | ['?>', inner: Tree]

/**
 * A class; nothing; an action for each group; another lexer, or this one (''), from these states on; or the language that
 * a group names, and the class where there is none. A lexer with `=` before its name is a session.
 */
export type Action =
  | string
  | null
  | [kind: 'g', actions: Action[]]
  | [kind: 'u', lexer: string, states: string[]]
  | [kind: 'n', group: number, otherwise: string]

/** The next states: a number pops that many states; a list adds states, `#pop` and `#push` among them. */
export type RuleData = [pattern: Tree, action: Action, next?: number | string[]]

export type SetData = [negated: 0 | 1, characters: string, ranges: number[], categories: string]

/** Tokens of one of some classes become another where they are one of the words, or (`unless`) where they are none. */
type Renamed = { from: string[]; words: string[]; to: string; unless?: true }

/** The file of a lexer. */
export type Definition =
  | { sets: SetData[]; rules: RuleData[]; states: Record<string, number[]>; renamed?: Renamed[] }
  /** Code within text: what `within` gives this class is for `around`. */
  | { around: string; within: string; gap: string }

/** The files are the same from src/ and from dist/. */
const directory = new URL('./lexers/', import.meta.url)

/** Every language that is known by name: its words, in lower case, and the file of its lexer, if there is one. */
export function readIndex(): [name: string, words: string, lexer: string][] {
  return JSON.parse(readFileSync(new URL('index.lexer', directory), 'utf8'))
}

/** With the size of the file, which says how much there is to make of it. */
export function readDefinition(lexer: string): { definition: Definition; size: number } {
  const text = readFileSync(new URL(`${lexer}.lexer`, directory), 'utf8')
  return { definition: JSON.parse(text), size: text.length }
}
