import { type InlineRule, matching } from '../inlines/inline-rule.ts'
import { unicodeEmojiNode } from './emoji.ts'

const meanings = new Map<string, string>(
  Object.entries({
    ':)': 'smile',
    '(:': 'smile',
    ':(': 'frown',
    '<3': 'heart',
    ':|': 'neutral',
    ':/': 'confused',
    ';)': 'wink',
    ':D': 'grinning',
    ':o': 'open_mouth',
    ':O': 'open_mouth',
    ':p': 'stuck_out_tongue',
    ':P': 'stuck_out_tongue',
  }),
)

const standingAlone = matching([], /(?<!\S)(?:[:;][()|/DoOpP]|\(:|<3)(?!\S)/g, ([written]) => {
  const name = meanings.get(written)
  return name === undefined ? undefined : unicodeEmojiNode(name)
})

/** `:)` and its like between spaces, for writers who want it. */
export const emoticon: InlineRule = {
  needs: [':', ';)', '<3'],
  apply: (text, context, inside) =>
    context.lookup.translateEmoticons ? standingAlone.apply(text, context, inside) : text,
}
