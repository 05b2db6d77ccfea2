import type { Context } from './context.ts'
import { limits } from './limits.ts'
import type { Lookup, Named } from './lookup.ts'
import { element, type Node } from './nodes.ts'
import { matching } from './rule.ts'

/** Who or what a message calls. A silent mention is shown, but tells nobody. */
export type Mention = { silent: boolean; text: string } & (
  | { kind: 'user' | 'group'; id: number }
  | { kind: 'channel' | 'topic' }
)

const opensBefore = `(?<![^\\s'"([{/<])`
const channelWildcards = new Set(['all', 'everyone', 'channel', 'stream'])

/**
 * `@**Full Name**`, `@**Full Name|id**`, and the wildcards `@**all**` and `@**topic**` with their kin; each also silent,
 * as in `@_**Full Name**`. A name that the lookup does not know is left to the other rules.
 */
export const mention = matching(
  ['@**', '@_**'],
  new RegExp(`${opensBefore}@(_?)\\*\\*([^*]{1,${limits.name}})\\*\\*`, 'g'),
  ([, underscore, written], context) => {
    const called = callee(context.written(written!), context.lookup)
    return called && mentioned({ ...called, silent: underscore === '_' || context.quotes > 0 }, context)
  },
)

/** `@*group*` and the silent `@_*group*`. */
export const groupMention = matching(
  ['@*', '@_*'],
  new RegExp(`${opensBefore}@(_?)\\*([^*]{1,${limits.name}})\\*`, 'g'),
  ([, underscore, written], context) => {
    const group = context.lookup.groupByName(context.written(written!))
    const silent = underscore === '_' || context.quotes > 0
    return group && mentioned({ kind: 'group', silent, id: group.id, text: group.name }, context)
  },
)

type Callee = { text: string } & ({ kind: 'user'; id: number } | { kind: 'channel' | 'topic' })

function callee(reference: string, lookup: Lookup): Callee | undefined {
  if (channelWildcards.has(reference)) return { kind: 'channel', text: reference }
  if (reference === 'topic') return { kind: 'topic', text: reference }
  const user = findUser(reference, lookup)
  return user && { kind: 'user', id: user.id, text: user.name }
}

/** With an id the name must still be the user's; it may be missing altogether. */
function findUser(reference: string, lookup: Lookup): Named | undefined {
  const [, name, id] = /^(.*)\|(\d{1,15})$/.exec(reference) ?? []
  if (name === undefined) return lookup.userByName(reference)
  const user = lookup.userById(Number(id))
  return name === '' || user?.name.toLowerCase() === name.toLowerCase() ? user : undefined
}

/** Who quotes a message does not call those again whom it called: within quotes all mentions are silent. */
function mentioned(mention: Mention, context: Context): Node {
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
