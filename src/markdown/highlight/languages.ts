import { readIndex } from './definition.ts'

/** The language of a word after a fence: its name as clients show it, and its lexer, if there is one. */
type Language = { name: string; lexer: string }

/** Returns the language that a word means, in any case. */
export function languageFor(word: string): Language | undefined {
  return languages().get(word.toLowerCase())
}

/** Returns the name of a language as clients show it; a word that is not known stands for itself. */
export function codeLanguageName(word: string): string {
  return languageFor(word)?.name ?? word
}

let known: ReadonlyMap<string, Language> | undefined

/** The index is read with the first code that names its language. */
function languages(): ReadonlyMap<string, Language> {
  known ??= new Map(
    readIndex().flatMap(([name, words, lexer]) => words.split(' ').map((word) => [word, { name, lexer }])),
  )
  return known
}

/** Returns every word that means a language. */
export function languageWords(): string[] {
  return [...languages().keys()]
}
