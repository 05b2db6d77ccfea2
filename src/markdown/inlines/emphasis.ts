import { element } from '../nodes.ts'
import { matching } from './inline-rule.ts'

// Underscores mean nothing: `snake_case` and `__init__` are common in chat.

/** `***both***` */
export const strongEmphasis = matching(
  ['***'],
  /\*\*\*(?!\s)([^*^\n]+)(?<!\s)\*\*\*/g,
  ([, text = ''], _, inside) => element('strong', {}, element('em', {}, ...inside(text))),
)

/** `**bold**`, within a line. */
export const strong = matching(['**'], /\*\*([^\n]+?)\*\*/g, ([, text = ''], _, inside) =>
  element('strong', {}, ...inside(text)),
)

/** `*italic*`, within a line and without spaces at its ends. */
export const emphasis = matching(['*'], /\*(?!\s)([^*^\n]+)(?<!\s)\*/g, ([, text = ''], _, inside) =>
  element('em', {}, ...inside(text)),
)

/** `~~struck~~` */
export const strike = matching(['~~'], /(?<!~)~~([^~\n]+)~~(?!~)/g, ([, text = ''], _, inside) =>
  element('del', {}, ...inside(text)),
)
