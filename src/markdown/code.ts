import type { Context } from './context.ts'
import { highlight } from './highlight/highlight.ts'
import { languageFor, languageOf } from './highlight/languages.ts'
import { type Element, element } from './nodes.ts'

/**
 * Code with colors, in the classes that existing clients style. They find a block by its class and tell the language by
 * `data-code-language`; the empty span before the code is part of what they expect.
 */
export function codeBlock(source: string, word: string, context: Context): Element {
  const { text, language } = withoutHeader(context.written(withoutBlankEnds(source)), word)
  const attributes: Record<string, string> = { class: 'codehilite' }
  if (word !== '') attributes['data-code-language'] = languageOf(word)
  const code = element('code', {}, ...highlight(`${text}\n`, language, context.highlighting))
  return element('div', attributes, element('pre', {}, element('span', {}), code))
}

/**
 * Code without a word after its fence may say in its first line what it is: `#!python` and `:::python` are only that, and
 * do not belong to it; a path, as in `#!/bin/sh`, does.
 */
function withoutHeader(text: string, word: string): { text: string; language: string } {
  const [line, path, first, second] =
    word === '' ? (/^(?:::+|#!)((?:\/\w+)*[/ ])?([\w#.+-]+)(?: +([\w#.+-]+))?[^\n]*/.exec(text) ?? []) : []
  const language = first === 'env' ? second : first
  if (line === undefined || language === undefined || !languageFor(language)) return { text, language: word }
  return { text: path === undefined ? withoutBlankEnds(text.slice(line.length)) : text, language }
}

/** Without newlines at the start and the end; a pattern would take quadratic time on thousands of them. */
function withoutBlankEnds(text: string): string {
  let start = 0
  let end = text.length
  while (text[start] === '\n') start++
  while (end > start && text[end - 1] === '\n') end--
  return text.slice(start, end)
}
