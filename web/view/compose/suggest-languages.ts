import type { Token } from '../../lib/typeahead-token.ts'
import type { Suggestion } from './suggest.ts'

/**
 * The usual languages of code, and the other blocks; the server highlights many more. Behind each stand shorter names. The more
 * usual ones come first, and none before one with which it begins.
 */
const languages =
  'bash c cpp:c++ csharp:cs css diff docker elixir go:golang graphql haskell:hs html ini java javascript:js json kotlin:kt latex lua make markdown:md math nginx python php perl powershell:ps1 quote r rust:rs ruby:rb sql shell scala scss spoiler swift typescript:ts text toml xml yaml:yml'
    .split(' ')
    .map((one) => one.split(':'))

/** Completes the language behind a fence, and closes the block. */
export function suggestLanguages(token: Token & { kind: 'language' }, rows: number): Suggestion[] {
  const { query, fence, isClosed } = token
  return languages
    .filter((names) => names.some((name) => name.startsWith(query.toLowerCase())))
    .map(([name = '']) => name)
    .filter((name) => !isClosed || name !== query)
    .slice(0, rows)
    .map((name) => ({
      label: name,
      insert: fence + name + (isClosed ? '' : `\n\n${fence}`),
      icon: 'code',
    }))
}
