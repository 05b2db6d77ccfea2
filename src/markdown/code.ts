import type { MarkdownIt, Token } from 'markdown-it'
import { languageNames } from './languages.ts'

/**
 * Fenced and indented code. Clients find a block by its class and tell the language by `data-code-language`; the
 * empty span before the code is part of what they expect.
 */
export function code(md: MarkdownIt): void {
  const { escapeHtml } = md.utils
  md.renderer.rules.fence = (tokens, index) => codeHtml(tokens[index]!, escapeHtml)
  md.renderer.rules.code_block = (tokens, index) => codeHtml(tokens[index]!, escapeHtml)
}

function codeHtml(token: Token, escapeHtml: (text: string) => string): string {
  const language = languageOf(token.info)
  const text = withoutBlankEnds(token.content)
  if (text === '' && language === undefined) return ''
  const data = language === undefined ? '' : ` data-code-language="${escapeHtml(language)}"`
  return `<div class="codehilite"${data}><pre><span></span><code>${escapeHtml(text)}\n</code></pre></div>\n`
}

/** Of "py", ".py", "{.python}" and "python {hl_lines=1}": Python. One that is not known keeps the name it was given. */
function languageOf(info: string): string | undefined {
  const [, word] = /^\s*\{?\s*\.?([^\s{}]+)/.exec(info) ?? []
  return word === undefined ? undefined : (languageNames.get(word.toLowerCase()) ?? word)
}

/** Without newlines at the start and the end; a pattern would take quadratic time on thousands of them. */
function withoutBlankEnds(text: string): string {
  let start = 0
  let end = text.length
  while (text[start] === '\n') start++
  while (end > start && text[end - 1] === '\n') end--
  return text.slice(start, end)
}
