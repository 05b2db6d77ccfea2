import * as curly from './curly.ts'
import * as more from './curly-more.ts'
import * as data from './data.ts'
import * as functional from './functional.ts'
import type { Lexer } from './lexer.ts'
import * as markup from './markup.ts'
import { plainLanguages } from './plain-languages.ts'
import * as script from './script.ts'

/** The name that clients show for the word after a fence; a word that is not known stands for itself. */
export function languageOf(word: string): string {
  return languages.get(word.toLowerCase())?.[0] ?? word
}

/** Undefined: the code stays plain. */
export function lexerOf(word: string): Lexer | undefined {
  return languages.get(word.toLowerCase())?.[1]
}

/** The words for a language, in lower case, by the name that clients show. */
const languages = new Map(
  (
    [
      ['Bash', 'bash ksh openrc sh shell zsh', script.bash],
      ['Bash Session', 'console shell-session', script.console],
      ['C', 'c', curly.c],
      ['C#', 'c# cs csharp', curly.csharp],
      ['C++', 'c++ cpp', curly.cpp],
      ['CSS', 'css', markup.css],
      ['Clojure', 'clj clojure', functional.clojure],
      ['Common Lisp', 'cl common-lisp lisp', functional.commonLisp],
      ['Dart', 'dart', more.dart],
      ['Diff', 'diff udiff', data.diff],
      ['Docker', 'docker dockerfile', script.docker],
      ['Elixir', 'elixir ex exs', script.elixir],
      ['Erlang', 'erlang', functional.erlang],
      ['F#', 'f# fsharp', functional.fsharp],
      ['GAS', 'asm gas', data.assembler],
      ['Go', 'go golang', more.go],
      ['GraphQL', 'graphql', data.graphql],
      ['Groovy', 'groovy', curly.groovy],
      ['HTML', 'html', markup.html],
      ['Haskell', 'haskell hs', functional.haskell],
      ['INI', 'cfg dosini ini', data.ini],
      ['JSON', 'json json-object', data.json],
      ['JSX', 'jsx react', curly.jsx],
      ['Java', 'java', curly.java],
      ['JavaScript', 'javascript js', curly.javascript],
      ['Kotlin', 'kotlin', more.kotlin],
      ['Lua', 'lua', functional.lua],
      ['Makefile', 'bsdmake make makefile mf', script.makefile],
      ['Markdown', 'markdown md', markup.markdown],
      ['Matlab', 'matlab', functional.matlab],
      ['Nginx configuration file', 'nginx', data.nginx],
      ['Nimrod', 'nim nimrod', functional.nim],
      ['Objective-C', 'obj-c objc objective-c objectivec', curly.c],
      ['PHP', 'php php3 php4 php5', more.php],
      ['Perl', 'perl pl', script.perl],
      ['PostgreSQL SQL dialect', 'postgres postgresql', data.sql],
      ['Protocol Buffer', 'proto protobuf', more.protobuf],
      ['Python', 'bazel py py3 pyi python python3 sage starlark', script.python],
      ['Ruby', 'duby rb ruby', script.ruby],
      ['Rust', 'rs rust', more.rust],
      ['S', 'r s splus', functional.r],
      ['SQL', 'sql', data.sql],
      ['Scala', 'scala', more.scala],
      ['Swift', 'swift', more.swift],
      ['TOML', 'toml', data.toml],
      ['TSX', 'tsx', curly.tsx],
      ['TeX', 'latex tex', markup.tex],
      ['TypeScript', 'ts typescript', curly.typescript],
      ['Vue', 'vue', markup.html],
      ['XML', 'xml', markup.xml],
      ['YAML', 'yaml', data.yaml],
      ['Zig', 'zig', more.zig],
      ...plainLanguages,
    ] as [name: string, words: string, lexer?: Lexer][]
  ).flatMap(([name, words, lexer]) =>
    words.split(' ').map((word) => [word, [name, lexer] as const] as const),
  ),
)

/** Every word that means a language. */
export const languageWords: readonly string[] = [...languages.keys()]
