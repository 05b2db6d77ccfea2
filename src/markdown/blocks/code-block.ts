import type { Context } from '../context.ts'
import { highlight } from '../highlight/highlight.ts'
import { codeLanguageName } from '../highlight/languages.ts'
import { type Element, element } from '../nodes.ts'

/**
 * Code with colors, in the classes that existing clients style. They find a block by its class and tell the language by
 * `data-code-language`; the empty span before the code is part of what they expect.
 */
export function codeBlock(source: string, word: string, context: Context): Element {
  const text = context.written(withoutBlankEnds(source))
  const language = word === '' ? (languageIn(text) ?? '') : word
  const attributes: Record<string, string> = { class: 'codehilite' }
  if (word !== '') attributes['data-code-language'] = codeLanguageName(word)
  const code = element('code', {}, ...highlight(`${text}\n`, language, context.highlighting))
  return element('div', attributes, element('pre', {}, element('span', {}), code))
}

/** Code without a word after its fence may name its language in its first line: `#!python`, `:::python`, `#!/bin/sh`. */
function languageIn(text: string): string | undefined {
  const [, first, second] = /^(?:::+|#!)(?:(?:\/\w+)*[/ ])?([\w#.+-]+)(?: +([\w#.+-]+))?/.exec(text) ?? []
  return first === 'env' ? second : first
}

/** Without newlines at the start and the end; a pattern would take quadratic time on thousands of them. */
function withoutBlankEnds(text: string): string {
  let start = 0
  let end = text.length
  while (text[start] === '\n') start++
  while (end > start && text[end - 1] === '\n') end--
  return text.slice(start, end)
}
