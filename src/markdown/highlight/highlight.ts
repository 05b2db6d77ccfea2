import { limits } from '../limits.ts'
import { element, type Node } from '../nodes.ts'
import { lexerOf } from './languages.ts'
import { tokens } from './lexer.ts'

/** Code in spans by class. Unknown languages and very long code stay plain. */
export function highlight(code: string, word: string): Node[] {
  const lexer = word === '' || code.length > limits.highlighted ? undefined : lexerOf(word)
  if (!lexer || code.trim() === '') return [code]
  const nodes: Node[] = []
  let [shown, text] = ['', '']
  const flush = () => {
    if (text !== '') nodes.push(...spans(shown, text))
    text = ''
  }
  for (const [className, part] of tokens(code, lexer)) {
    if (className !== shown) flush()
    shown = className
    text += part
  }
  flush()
  return nodes
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
