import { markdownLimits } from '../limits.ts'
import { element, type Node } from '../nodes.ts'
import { generatedTokens } from './generated.ts'
import { languageFor } from './languages.ts'
import type { Steps } from './matcher.ts'

/** Code in spans by class. Unknown languages and very long code stay plain, and what the steps do not reach. */
export function highlight(code: string, word: string, steps: Steps): Node[] {
  const lexer = word === '' || code.length > markdownLimits.highlighted ? '' : languageFor(word)?.lexer
  if (!lexer || code.trim() === '') return [code]
  const nodes: Node[] = []
  let [shown, text] = ['', '']
  const flush = () => {
    if (text !== '') nodes.push(...spans(shown, text))
    text = ''
  }
  for (const [className, part] of generatedTokens(code, lexer, statesFor(lexer, code), steps)) {
    if (className !== shown) flush()
    shown = className
    text += part
  }
  flush()
  return nodes
}

/** People show PHP without the tag that it begins with in a page. */
function statesFor(lexer: string, code: string): string[] {
  return lexer === 'php' && !code.includes('<?') ? ['root', 'php'] : ['root']
}

/** A span does not go over the end of a line. */
function spans(className: string, text: string): Node[] {
  if (className === '') return [text]
  return text
    .split('\n')
    .flatMap((line, index): Node[] => [
      ...(index > 0 ? ['\n'] : []),
      ...(line === '' ? [] : [element('span', { class: className }, line)]),
    ])
}
