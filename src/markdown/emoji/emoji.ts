import { type InlineRule, matching } from '../inlines/inline-rule.ts'
import { element, type Node } from '../nodes.ts'
import { codeOfName, nameOfCode } from './emoji-table.ts'

/** `:smile:`: a custom emoji of the organization, `:zulip:`, or one of Unicode by any of its names. */
export const emoji = matching([':'], /:([\p{L}\p{N}_+-]+):/gu, ([written, name], { lookup }) => {
  const picture = lookup.customEmoji?.(name!) ?? (name === 'zulip' ? lookup.extraEmoji : undefined)
  if (picture !== undefined) {
    return element('img', { alt: written, class: 'emoji', src: picture, title: spaced(name!) })
  }
  return unicodeEmojiNode(name!)
})

/** An emoji as a character. One that has no name here, such as one with a skin tone, stays as it is. */
export const unicodeEmoji: InlineRule = {
  needs: [],
  apply: (text, context, inside) =>
    // Most texts have nothing but letters; only the keycaps begin with a character that many have.
    /[\u00a9\u00ae\u203c-\u3299\u{1f000}-\u{1faff}]|\ufe0f/u.test(text)
      ? anyEmoji.apply(text, context, inside)
      : text,
}

/** With what changes its color or joins it to others, and pairs of letters that mean a flag. */
const anyEmoji = matching(
  [],
  /\p{RI}{2}|[0-9#*]\ufe0f?\u20e3|(?![0-9#*])\p{Emoji}(?:\p{EMod}|\ufe0f)?[\u{e0020}-\u{e007f}]*(?:\u200d\p{Emoji}(?:\p{EMod}|\ufe0f)?)*/gu,
  ([character]) => {
    // A character that is text by itself, such as a trade mark, is an emoji only if that is asked for; one that is joined
    // or has a keycap means nothing else.
    if (!/^\p{Emoji_Presentation}|\ufe0f|\u200d|\u20e3/u.test(character)) return undefined
    const name = nameOfCode.get(codeOf(character))
    return name === undefined ? undefined : unicodeEmojiNode(name)
  },
)

/** The emoji of Unicode that has a name. */
export function unicodeEmojiNode(name: string): Node | undefined {
  const code = codeOfName.get(name)
  if (code === undefined) return undefined
  const title = spaced(name)
  return element(
    'span',
    { 'aria-label': title, class: `emoji emoji-${code}`, role: 'img', title },
    `:${name}:`,
  )
}

/** Hexadecimal code points, joined by hyphens, without the one that only asks for a colored picture. */
function codeOf(character: string): string {
  return [...character]
    .map((point) => (point.codePointAt(0) ?? 0).toString(16).padStart(4, '0'))
    .filter((code) => code !== 'fe0f')
    .join('-')
}

function spaced(name: string): string {
  return name.replaceAll('_', ' ')
}
