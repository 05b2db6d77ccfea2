import { unescapeSlack } from '../../features/bots/kernel/incoming-webhooks/slack-text.ts'
import { slackEmoji } from './emoji-names.ts'

/** How what a text names is called here. */
export type SlackNames = {
  /** The mention of a user; undefined if there is none with this id. */
  person(id: string): string | undefined
  /** The link to a channel; undefined if there is none. */
  channel(id: string): string | undefined
}

/** Returns the Markdown of a text in Slack's own syntax. */
export function markdownOf(text: string, names: SlackNames): string {
  const kept: string[] = []
  const keep = (piece: string, sign: string = mark.kept) => `${sign}${kept.push(piece) - 1}${sign}`
  // A label, for one, may hold code.
  const restored = (piece: string): string =>
    piece.replaceAll(keptPiece, (_, index: string) => restored(kept[Number(index)] ?? ''))
  const bare = text
    .replaceAll(marks, '')
    .replaceAll(/```[\s\S]*?```/g, (code) => keep(fenceOf(code)))
    .replaceAll(/`[^`\n]+`/g, (code) => keep(codeIn(code)))
    .replaceAll(/<[^<>\n]+>/g, (piece) =>
      keep(nameIn(piece, names), /^<[@#!]/.test(piece) ? mark.name : mark.kept),
    )
  const lines = unescapeSlack(listsIn(formatsIn(quotesIn(bare)))).trim()
  // Slack has no headings.
  return restored(lines.replaceAll(/^#{1,6}\s/gm, ' $&'))
    .replace(/^\n+/, '')
    .trimEnd()
}

/** Characters that no text has, for what has been read already. */
const mark = { kept: '\uE000', name: '\uE001', bold: '\uE002', italic: '\uE003' } as const
const marks = /[\uE000-\uE003]/g
const keptPiece = /[\uE000\uE001](\d+)[\uE000\uE001]/g

function fenceOf(code: string): string {
  const content = codeIn(code.slice(3, -3)).replace(/^\n|\n$/g, '')
  // Text beside a fence would be a part of its first or last line.
  return `\n\`\`\`\n${content}\n\`\`\`\n`
}

/** Slack makes links of addresses in code, too, where none shows here. */
function codeIn(code: string): string {
  return unescapeSlack(
    code.replaceAll(/<([^<>|\n]+)(?:\|([^<>\n]*))?>/g, (_, target: string, label = '') => label || target),
  )
}

function nameIn(piece: string, names: SlackNames): string {
  const [target = '', ...rest] = piece.slice(1, -1).split('|')
  const label = unescapeSlack(rest.join('|'))
  const id = target.slice(1)
  switch (target[0]) {
    case '@':
      return names.person(id) ?? `@${label.replace(/^@/, '') || id}`
    case '#':
      return names.channel(id) ?? `#${label || id}`
    case '!':
      return calledBy(id, label)
    default:
      return linkOrAddress(unescapeSlack(target), label)
  }
}

/** Users who are online cannot be mentioned alone here. */
function calledBy(id: string, label: string): string {
  if (/^(here|channel|everyone)$/.test(id)) return '@**all**'
  // An export does not name groups of users.
  return label || id.replace(/^subteam\^.*/, '@group')
}

/** Returns a link to an address; without a label of its own, the address alone. */
export function linkOrAddress(address: string, label: string): string {
  const isPlain = label === '' || label === address || address === `mailto:${label}`
  if (isPlain) return address.replace(/^(mailto|tel):/, '')
  const shown = label.replaceAll('[', '(').replaceAll(']', ')').replaceAll(/\s+/g, ' ')
  return `[${shown}](${address.replaceAll(')', '%29')})`
}

/** A line behind a quote does not belong to it; three signs quote all the rest. */
function quotesIn(text: string): string {
  return text
    .replace(/^&gt;&gt;&gt; ?([\s\S]*)/m, (_, quoted: string) => quoted.replaceAll(/^/gm, '&gt; '))
    .replaceAll(/^(&gt;.*)\n(?!&gt;|\n)/gm, '$1\n\n')
}

/** A format begins after a space or punctuation, and ends before one. */
function between(sign: string): RegExp {
  const before = '(?<=^|[^\\p{L}\\p{N}])'
  const after = '(?=$|[^\\p{L}\\p{N}])'
  return new RegExp(`${before}${sign}(?=[^\\s${sign}])([^\\n${sign}]*[^\\s${sign}])${sign}${after}`, 'gmu')
}

const [bold, italic, struck] = [between('\\*'), between('_'), between('~')]

function formatsIn(text: string): string {
  return text
    .replaceAll(bold, (_, inner: string) => formatted(inner, mark.bold))
    .replaceAll(italic, (_, inner: string) => formatted(inner, mark.italic))
    .replaceAll(struck, '~~$1~~')
    .replaceAll(mark.bold, '**')
    .replaceAll(mark.italic, '*')
    .replaceAll(emojiName, (whole, name: string) => emojiIn(whole, name))
}

/** A mention has asterisks of its own, and is no mention between others. */
function formatted(inner: string, sign: string): string {
  return inner.includes(mark.name) ? inner : `${sign}${inner}${sign}`
}

const emojiName = /:([\w+'-]+(?:::skin-tone-\d)?):/g

function emojiIn(whole: string, name: string): string {
  const emoji = slackEmoji(name)
  return emoji ? `:${emoji.name}:` : whole
}

/** A line behind a list does not belong to its last item. */
function listsIn(text: string): string {
  return text
    .replaceAll(
      /^([ \t]*)[•◦▪]\uFE0E?[ \t]*/gm,
      (_, indent: string) => `${indent.replaceAll('    ', '  ')}* `,
    )
    .replaceAll(/^([ \t]*(?:[*-]|\d+\.) .*)\n(?![ \t]*(?:[*-]|\d+\.) |\s)/gm, '$1\n\n')
}
