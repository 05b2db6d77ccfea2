import type { Context } from '../context.ts'
import { markdownLimits } from '../limits.ts'
import type { Lookup, Mentionable } from '../lookup.ts'
import { element, type Node } from '../nodes.ts'
import { matching } from './inline-rule.ts'
import { channelWildcards, opensMention, splitReference, userMention } from './mention-syntax.ts'

/** The object of a mention. A silent mention is shown, but causes no notification. */
export type Mention = { silent: boolean; text: string } & (
  | { kind: 'user' | 'group'; id: number }
  | { kind: 'channel' | 'topic' }
)

/** Users and wildcards. A name that the lookup does not know is left to the other rules. */
export const mention = matching(['@**', '@_**'], userMention, ([, underscore, written = ''], context) => {
  const called = callee(context.written(written), context.lookup)
  return called && mentionNode(called, underscore === '_', context)
})

/** `@*group*` and the silent `@_*group*`. */
export const groupMention = matching(
  ['@*', '@_*'],
  new RegExp(`${opensMention}@(_?)\\*([^*]{1,${markdownLimits.name}})\\*`, 'g'),
  ([, underscore, written = ''], context) => {
    const group = mentionOf('group', context.lookup.groupByName(context.written(written)))
    return group && mentionNode(group, underscore === '_', context)
  },
)

function callee(reference: string, lookup: Lookup): Mention | undefined {
  if (channelWildcards.has(reference)) return { kind: 'channel', text: reference, silent: false }
  if (reference === 'topic') return { kind: 'topic', text: reference, silent: false }
  return mentionOf('user', findUser(reference, lookup))
}

function mentionOf(kind: 'user' | 'group', named: Mentionable | undefined): Mention | undefined {
  return named && { kind, id: named.id, text: named.name, silent: named.isDeactivated ?? false }
}

/** With an id the name must still be the user's, or a former one that the lookup knows; it may be missing altogether. */
function findUser(reference: string, lookup: Lookup): Mentionable | undefined {
  const { name, id } = splitReference(reference)
  if (id === undefined) return lookup.userByName(name)
  const user = lookup.userById(id)
  if (name === '' || user?.name.toLowerCase() === name.toLowerCase()) return user
  return lookup.formerUser?.(name, id)
}

/**
 * Creates the node of a mention. Within quotes all mentions are silent: quoting a message does not notify the users
 * whom it mentions.
 */
function mentionNode(called: Mention, isSilent: boolean, context: Context): Node {
  const mention = { ...called, silent: called.silent || isSilent || context.quotes > 0 }
  context.mentions.push(mention)
  const [name, data] = attributes(mention)
  return mention.silent
    ? element('span', { class: `${name} silent`, ...data }, mention.text)
    : element('span', { class: name, ...data }, `@${mention.text}`)
}

function attributes(mention: Mention): [className: string, data: Record<string, string>] {
  switch (mention.kind) {
    case 'user':
      return ['user-mention', { 'data-user-id': String(mention.id) }]
    case 'group':
      return ['user-group-mention', { 'data-user-group-id': String(mention.id) }]
    case 'channel':
      return ['user-mention channel-wildcard-mention', { 'data-user-id': '*' }]
    case 'topic':
      return ['topic-mention', {}]
  }
}
