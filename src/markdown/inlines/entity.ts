import { matching } from './inline-rule.ts'

/** `&amp;`, `&#65;`: what HTML calls by a name or a number reaches the reader as the character that is meant. */
export const entity = matching(
  ['&'],
  /&(?:#[0-9]{1,7}|#x[0-9a-fA-F]{1,6}|[0-9a-zA-Z]{1,31});/g,
  ([written]) => ({
    html: written,
    text: written,
  }),
)
