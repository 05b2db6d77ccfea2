import { lowerName } from './same-name.ts'

/**
 * One condition of a narrow. An operator with a minus, such as `-channel`, excludes what fits: it is an operator of its own, so
 * that nothing that asks for `channel` takes the channel that is excluded for the one that is shown.
 */
export type Term = { operator: string; operand: string | number | number[] }

/** Returns what an operator looks at, whether it asks for that or excludes it. */
export function withoutMinus(operator: string): string {
  return operator.replace(/^-/, '')
}

export type Route =
  | { view: 'inbox' | 'recent' | 'drafts' }
  /** `path`: the channel whose settings are open, and which of them: `5/general`; or `new`. */
  | { view: 'channels'; path?: string }
  | { view: 'topics'; channelId: number }
  /** `path`: the address of a section of the settings, with what follows it. */
  | { view: 'settings'; path: string }
  /** `near`: the id of a message to begin at. */
  | { view: 'narrow'; terms: Term[]; near?: number }

/** Reads the part of the address behind `#`, in the form that links in messages have. Unknown ones lead to the inbox. */
export function parseHash(hash: string): Route {
  const [first = '', ...rest] = hash.replace(/^#/, '').split('/')
  switch (first) {
    case 'recent':
    case 'drafts':
      return { view: first }
    // Other clients call them so.
    case 'scheduled':
    case 'reminders':
      return { view: 'drafts' }
    case 'streams':
    case 'channels':
      return rest[0] ? { view: 'channels', path: rest.join('/') } : { view: 'channels' }
    case 'feed':
    case 'all_messages':
      return { view: 'narrow', terms: [] }
    case 'topics': {
      const channelId = idIn(decodePart(rest[1] ?? ''))
      return channelId === undefined ? { view: 'inbox' } : { view: 'topics', channelId }
    }
    case 'settings':
    case 'organization':
    case 'groups':
    case 'welcome':
      return { view: 'settings', path: [first, ...rest].join('/') }
    case 'narrow':
      return narrowOf(rest)
    default:
      return { view: 'inbox' }
  }
}

/** Returns the address of a view; the reverse of `parseHash`. `names` makes addresses that people can read. */
export function hashOf(route: Route, names: { channel?: (id: number) => string | undefined } = {}): string {
  if (route.view === 'topics') return `#topics/channel/${channelPart(route.channelId, names)}`
  if (route.view === 'settings') return `#${route.path}`
  if (route.view === 'channels' && route.path) return `#channels/${route.path}`
  if (route.view !== 'narrow') return `#${route.view}`
  const near = route.near === undefined ? '' : `/near/${route.near}`
  if (route.terms.length === 0) return near ? `#narrow${near}` : '#feed'
  const parts = route.terms.map(({ operator, operand }) => `${operator}/${partOf(operator, operand, names)}`)
  return `#narrow/${parts.join('/')}${near}`
}

/**
 * The conversations in which messages are written: a topic of a channel, or direct messages. `isUntitled`: no topic was
 * chosen yet, in contrast to the topic whose name is empty.
 */
export type Conversation = { channelId: number; topic: string; isUntitled?: true } | { userIds: number[] }

/** Returns where a message goes for which no topic was chosen: to the topic whose name is empty. */
export function titled(conversation: Conversation): Conversation {
  if ('userIds' in conversation) return conversation
  return { channelId: conversation.channelId, topic: conversation.topic }
}

/** Returns the terms of a conversation. `userIds` are those of the others; none in messages to the user alone. */
export function termsOf(conversation: Conversation, ownId: number): Term[] {
  if ('userIds' in conversation) {
    const { userIds } = conversation
    return [{ operator: 'dm', operand: userIds.length === 0 ? [ownId] : userIds }]
  }
  return [
    { operator: 'channel', operand: conversation.channelId },
    { operator: 'topic', operand: conversation.topic },
  ]
}

/** Returns the conversation that a narrow shows, if it shows exactly one. */
export function conversationOf(terms: Term[], ownId: number): Conversation | undefined {
  const [first, second] = terms
  if (first?.operator === 'dm' && Array.isArray(first.operand) && terms.length === 1) {
    return { userIds: first.operand.filter((id) => id !== ownId) }
  }
  const channelId = channelOfTerm(first)
  const isTopic = terms.length === 2 && second?.operator === 'topic'
  return channelId !== undefined && isTopic ? { channelId, topic: String(second.operand) } : undefined
}

/** The channel to which a term limits a narrow. */
export function channelOfTerm(term: Term | undefined): number | undefined {
  return term?.operator === 'channel' && typeof term.operand === 'number' ? term.operand : undefined
}

/** The channel that a narrow shows whole. */
export function wholeChannel([first, second]: Term[]): number | undefined {
  return second ? undefined : channelOfTerm(first)
}

/** Returns a name of a conversation that is the same however it is reached. */
export function conversationKey(conversation: Conversation): string {
  if ('userIds' in conversation) return `dm:${[...conversation.userIds].sort((a, b) => a - b).join()}`
  const { channelId, topic, isUntitled } = conversation
  return isUntitled ? `${channelId}?` : `${channelId}:${lowerName(topic)}`
}

const aliases = new Map([
  ['stream', 'channel'],
  ['pm-with', 'dm'],
  ['subject', 'topic'],
  ['from', 'sender'],
])

function narrowOf(parts: string[]): Route {
  const terms: Term[] = []
  let near: number | undefined
  for (let i = 0; i + 1 < parts.length; i += 2) {
    const name = decodePart(parts[i] ?? '')
    const written = withoutMinus(name)
    const kind = aliases.get(written) ?? written
    // The API excludes no words.
    const operator = name === written || kind === 'search' ? kind : `-${kind}`
    const value = decodePart(parts[i + 1] ?? '')
    if (operator === 'near') near = idIn(value)
    else if (operator === 'with' && terms.length > 0) near ??= idIn(value)
    else terms.push({ operator, operand: operandOf(kind, value) })
  }
  return { view: 'narrow', terms, ...(near !== undefined && { near }) }
}

function operandOf(operator: string, value: string): Term['operand'] {
  if (operator === 'channel') return idIn(value) ?? value
  if (operator === 'dm') return idsIn(value) ?? value
  if (operator === 'sender' || operator === 'dm-including') return idIn(value) ?? value
  return value
}

/** `4-design` names the channel with the id 4, `4` as well. */
function idIn(value: string): number | undefined {
  const id = /^(\d+)(-|$)/.exec(value)?.[1]
  return id === undefined ? undefined : Number(id)
}

/** `5,6-group` and `5-Ana` name users by their ids. */
function idsIn(value: string): number[] | undefined {
  const ids = /^(\d+(?:,\d+)*)(-|$)/.exec(value)?.[1]
  return ids?.split(',').map(Number)
}

function partOf(
  operator: string,
  operand: Term['operand'],
  names: { channel?: (id: number) => string | undefined },
) {
  if (/^-?channel$/.test(operator) && typeof operand === 'number') return channelPart(operand, names)
  if (Array.isArray(operand)) return `${operand.join()}${operand.length > 1 ? '-group' : '-user'}`
  return encode(String(operand))
}

function channelPart(id: number, { channel }: { channel?: (id: number) => string | undefined }) {
  const name = channel?.(id)
  return name === undefined ? String(id) : `${id}-${encode(name.replaceAll(' ', '-'))}`
}

// Encodes as in the links of messages: percent signs become dots, so that mail programs do not cut the address.
function encode(text: string) {
  return encodeURIComponent(text)
    .replace(/[.!'()*]/g, (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`)
    .replaceAll('%', '.')
}

/** Reads a part of an address. */
export function decodePart(text: string) {
  try {
    return decodeURIComponent(text.replaceAll('.', '%'))
  } catch {
    return text
  }
}
