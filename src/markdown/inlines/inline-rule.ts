import type { Context } from '../context.ts'
import type { Node } from '../nodes.ts'

/**
 * One syntax within a line. Rules run one after the other on the whole text, so that an earlier one wins where two
 * would match.
 */
export type InlineRule = {
  /** A text without any of these has nothing for this rule. */
  needs: readonly string[]
  /** The text with placeholders for what was found. `inside` renders a part of it by the rules that are still to come. */
  apply(text: string, context: Context, inside: (text: string) => Node[]): string
}

/** Creates a rule for the matches of a pattern. `make` may decline. */
export function matching(
  needs: readonly string[],
  pattern: RegExp,
  make: (match: RegExpExecArray, context: Context, inside: (text: string) => Node[]) => Node | undefined,
): InlineRule {
  return {
    needs,
    apply(text, context, inside) {
      let done = 0
      let result = ''
      pattern.lastIndex = 0
      for (let match = pattern.exec(text); match; match = pattern.exec(text)) {
        const end = pattern.lastIndex
        const node = make(match, context, inside)
        pattern.lastIndex = end
        if (node === undefined) continue
        result += text.slice(done, match.index) + context.keep(node, match[0])
        done = end
      }
      return done === 0 ? text : result + text.slice(done)
    },
  }
}

/** Before a mention, a channel or a bare address. */
export const startsWord = `(?<![^\\s'"(,:<])`
