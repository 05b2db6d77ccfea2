import { element } from '../nodes.ts'
import type { InlineRule } from './inline-rule.ts'
import { replaceCode } from './replace-code.ts'

/**
 * `` `code` ``. As many backticks end it as began it; if there is no such end, fewer may begin it, and the rest belongs
 * to the code. Spaces and newlines are kept.
 */
export const codeSpan: InlineRule = {
  needs: ['`'],
  apply(text, context) {
    return replaceCode(text, (code, source) =>
      context.keep(element('code', {}, context.written(code)), source),
    )
  },
}
