import type { Context } from '../context.ts'
import { emoji, unicodeEmoji } from '../emoji/emoji.ts'
import { emoticon } from '../emoji/emoticon.ts'
import { linkifier } from '../linkifiers/linkifier.ts'
import { formula } from '../math/math.ts'
import type { Node } from '../nodes.ts'
import { autolink } from './autolink.ts'
import { channelLink } from './channel-link.ts'
import { codeSpan } from './code-span.ts'
import { emphasis, strike, strong, strongEmphasis } from './emphasis.ts'
import { entity } from './entity.ts'
import type { InlineRule } from './inline-rule.ts'
import { link } from './link.ts'
import { groupMention, mention } from './mention.ts'
import { timestamp } from './timestamp.ts'

/** In the order in which they run. Rules before `link` also apply in the text of a link. */
const rules: InlineRule[] = [
  codeSpan,
  strongEmphasis,
  mention,
  formula,
  channelLink,
  timestamp,
  groupMention,
  link,
  autolink,
  linkifier,
  entity,
  strong,
  emphasis,
  strike,
  emoji,
  emoticon,
  unicodeEmoji,
]

/** Returns the nodes of a paragraph, a heading or a cell. */
export function inline(source: string, context: Context, from = 0): Node[] {
  let text = source
  for (let index = from; index < rules.length; index++) {
    const rule = rules[index]!
    if (rule.needs.length > 0 && !rule.needs.some((needed) => text.includes(needed))) continue
    text = rule.apply(text, context, (inner) => inline(inner, context, index + 1))
  }
  return context.nodes(text)
}
