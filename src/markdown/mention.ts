import type { MarkdownIt, StateCore, StateInline, Token } from 'markdown-it'
import { limits } from './limits.ts'
import type { Lookup, Named } from './lookup.ts'

/** What a `mention` token has as its meta. A silent one is shown, but tells nobody. */
export type Mention = { silent: boolean; text: string } & (
  | { kind: 'user' | 'group'; id: number }
  | { kind: 'channel' | 'topic' }
)

/**
 * `@**Full Name**`, `@**Full Name|id**`, the wildcards `@**all**` and `@**topic**` with their kin, and `@*group*`;
 * each also silent, as in `@_**Full Name**`. A name that the lookup does not know is left to the other rules.
 */
export function mention(md: MarkdownIt): void {
  md.inline.ruler.before('emphasis', 'mention', parseMention)
  md.core.ruler.after('inline', 'quoted_mentions', silenceQuoted)
  md.renderer.rules.mention = (tokens, index) => mentionHtml(mentionOf(tokens[index]!), md.utils.escapeHtml)
}

export function mentionOf(token: Token): Mention {
  return token.meta as Mention
}

const syntax = new RegExp(
  `@(_?)(?:\\*\\*([^*\\n]{1,${limits.mention}})\\*\\*|\\*([^*\\n]{1,${limits.mention}})\\*)`,
  'y',
)
const opensBefore = /[\s'"([{/<]/
const channelWildcards = new Set(['all', 'everyone', 'channel', 'stream'])

function parseMention(state: StateInline, dry: boolean): boolean {
  if (state.src[state.pos] !== '@') return false
  if (state.pos > 0 && !opensBefore.test(state.src[state.pos - 1]!)) return false
  syntax.lastIndex = state.pos
  const match = syntax.exec(state.src)
  if (!match || syntax.lastIndex > state.posMax) return false
  const found = resolve(match, state.env.lookup as Lookup)
  if (!found) return false
  if (!dry) state.push('mention', '', 0).meta = found
  state.pos += match[0].length
  return true
}

function resolve([, underscore, person, group]: RegExpExecArray, lookup: Lookup): Mention | undefined {
  const silent = underscore === '_'
  if (group !== undefined) {
    const found = lookup.groupByName(group)
    return found && { kind: 'group', silent, id: found.id, text: found.name }
  }
  if (person === undefined) return undefined
  if (channelWildcards.has(person)) return { kind: 'channel', silent, text: person }
  if (person === 'topic') return { kind: 'topic', silent, text: person }
  const found = findUser(person, lookup)
  return found && { kind: 'user', silent, id: found.id, text: found.name }
}

/** With an id the name must still be the user's; it may be missing altogether. */
function findUser(reference: string, lookup: Lookup): Named | undefined {
  const [, name, id] = /^(.*)\|(\d+)$/.exec(reference) ?? []
  if (name === undefined) return lookup.userByName(reference)
  const user = lookup.userById(Number(id))
  return name === '' || user?.name.toLowerCase() === name.toLowerCase() ? user : undefined
}

/** Who quotes a message does not call those again whom it called. */
function silenceQuoted(state: StateCore): void {
  let quotes = 0
  for (const token of state.tokens) {
    if (token.type === 'blockquote_open') quotes++
    if (token.type === 'blockquote_close') quotes--
    if (quotes === 0) continue
    for (const child of token.children ?? []) if (child.type === 'mention') mentionOf(child).silent = true
  }
}

function mentionHtml(mention: Mention, escapeHtml: (text: string) => string): string {
  const [name, data] = attributes(mention)
  const text = escapeHtml(mention.text)
  return mention.silent
    ? `<span class="${name} silent"${data}>${text}</span>`
    : `<span class="${name}"${data}>@${text}</span>`
}

function attributes(mention: Mention): [className: string, data: string] {
  switch (mention.kind) {
    case 'user':
      return ['user-mention', ` data-user-id="${mention.id}"`]
    case 'group':
      return ['user-group-mention', ` data-user-group-id="${mention.id}"`]
    case 'channel':
      return ['user-mention channel-wildcard-mention', ' data-user-id="*"']
    case 'topic':
      return ['topic-mention', '']
  }
}
