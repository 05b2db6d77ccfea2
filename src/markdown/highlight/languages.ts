import { readIndex } from './definition.ts'

/** The language of a word after a fence: its name as clients show it, and its lexer, if there is one. */
type Language = { name: string; lexer: string }

/** Words are in whatever case. */
export function languageFor(word: string): Language | undefined {
  languages ??= allLanguages()
  return languages.get(word.toLowerCase())
}

/** The name that clients show; a word that is not known stands for itself. */
export function languageOf(word: string): string {
  return languageFor(word)?.name ?? word
}

/** Read with the first code that names its language. */
let languages: ReadonlyMap<string, Language> | undefined

function allLanguages(): ReadonlyMap<string, Language> {
  return new Map(
    readIndex().flatMap(([name, words, lexer]) => words.split(' ').map((word) => [word, { name, lexer }])),
  )
}

/** Every word that means a language. */
export function languageWords(): string[] {
  languages ??= allLanguages()
  return [...languages.keys()]
}
