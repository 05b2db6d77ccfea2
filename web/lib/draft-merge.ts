import { type Conversation, conversationKey, titled } from './route.ts'

/** A draft in its wire form. */
export type ServerDraft = {
  id: number
  type: '' | 'stream' | 'private'
  to: number[]
  topic: string
  content: string
  timestamp: number
}

/** The text that is being written to one conversation. */
export type LiveDraft = {
  conversation: Conversation
  content: string
  /** When it was changed last, in seconds since 1970. */
  at: number
  /** The id of its draft on the server, and the text there, as far as this client knows. */
  id?: number
  base?: string
  /** The conversation in which the server has it, by `serverKey`, as far as this client knows. */
  place?: string
  /** Whether it was written earlier or elsewhere, and not touched here since. */
  isRestored: boolean
}

export type LiveDrafts = Record<string, LiveDraft>

/** Whether the server has the text as it is, where it is. */
export function isSaved({ content, base = '', place, conversation }: LiveDraft): boolean {
  return content.trim() === base && (place === undefined || place === serverKey(conversation))
}

type Known = {
  /** Returns where a draft of the server belongs. */
  conversationOf(draft: ServerDraft): Conversation
  /** Whether a content of a draft is what this client has sent itself; '' asks whether it deletes the draft. */
  isEcho(key: string, content: string): boolean
  /** Whether this client has made a draft whose event has not come yet. */
  isUnheard(id: number): boolean
}

/**
 * Brings the texts that are being written here together with the drafts on the server. What changed on one side only is
 * taken over; if both sides changed, both are kept: the text here becomes a draft of its own.
 */
export function mergeDrafts(live: LiveDrafts, server: readonly ServerDraft[], known: Known): LiveDrafts {
  const { conversationOf, isEcho } = known
  const byId = new Map(server.map((draft) => [draft.id, draft]))
  const merged: LiveDrafts = {}
  for (const [key, draft] of Object.entries(live)) {
    const found = draft.id === undefined ? undefined : byId.get(draft.id)
    const isWithout = draft.id === undefined || (!found && known.isUnheard(draft.id))
    const next = isWithout ? draft : mergeOne(key, draft, found, isEcho)
    if (!next || (merged[key] && isFree(next))) continue
    const there = found && next.id !== undefined ? followed(next, conversationOf(found)) : next
    const to = there.conversation === next.conversation ? key : conversationKey(there.conversation)
    if (to === key || (isFree(live[to]) && !merged[to])) merged[to] = there
    else merged[key] = next
  }
  const linked = new Set(Object.values(merged).map(({ id }) => id))
  for (const found of [...server].sort((a, b) => b.timestamp - a.timestamp)) {
    if (linked.has(found.id)) continue
    const conversation = conversationOf(found)
    const own = Object.entries(merged).find(
      ([key, { id, content, ...draft }]) =>
        id === undefined &&
        serverKey(draft.conversation) === serverKey(conversation) &&
        (content.trim() === found.content || isEcho(key, found.content)),
    )
    const key = conversationKey(conversation)
    // The answer to this client's own request is still on its way.
    if (own) merged[own[0]] = { ...own[1], id: found.id, base: found.content, place: serverKey(conversation) }
    else if (isFree(merged[key])) merged[key] = restored(conversation, found)
  }
  return merged
}

/** A draft goes along when another client has given it another place. */
function followed(draft: LiveDraft, conversation: Conversation): LiveDraft {
  const place = serverKey(conversation)
  if (place === draft.place) return draft
  const hasMoved = draft.place !== undefined && place !== serverKey(draft.conversation) && isSaved(draft)
  return { ...draft, place, ...(hasMoved && { conversation }) }
}

function isFree(draft: LiveDraft | undefined) {
  return !draft || (draft.id === undefined && draft.content.trim() === '')
}

/** Whether a text has neither people nor a channel yet; it may have a topic. */
export function isNowhere(to: Conversation): boolean {
  return 'topic' in to && to.channelId === 0
}

/** Returns a key that is equal for all conversations that the server cannot tell apart. */
export function serverKey(conversation: Conversation): string {
  if (isNowhere(conversation)) return ''
  return conversationKey(titled(conversation))
}

function mergeOne(
  key: string,
  draft: LiveDraft,
  found: ServerDraft | undefined,
  isEcho: Known['isEcho'],
): LiveDraft | undefined {
  if (!found) {
    const isGone = draft.content.trim() === '' || (isSaved(draft) && !isEcho(key, ''))
    return isGone ? undefined : unlinked(draft)
  }
  if (found.content === draft.base || isEcho(key, found.content)) return draft
  if (found.content === draft.content.trim()) return { ...draft, base: found.content }
  if (!isSaved(draft)) return unlinked(draft)
  return restored(draft.conversation, found)
}

function restored(conversation: Conversation, { id, content, timestamp }: ServerDraft): LiveDraft {
  const place = serverKey(conversation)
  return { conversation, content, at: timestamp, id, base: content, place, isRestored: true }
}

function unlinked({ id: _, base: __, place: ___, ...draft }: LiveDraft): LiveDraft {
  return draft
}

/** The conversation of a draft. */
export function conversationOfDraft(
  { type, to, topic }: Pick<ServerDraft, 'type' | 'to' | 'topic'>,
  ownId: number,
): Conversation {
  if (type === 'stream' && to[0] !== undefined) return { channelId: to[0], topic }
  if (type === 'private' && to.length > 0) return { userIds: to.filter((id) => id !== ownId) }
  return { channelId: 0, topic: '' }
}

export function addressOf(conversation: Conversation, ownId: number) {
  if (!('userIds' in conversation)) {
    if (conversation.channelId === 0) return { type: '' as const, to: [], topic: '' }
    return { type: 'stream' as const, to: [conversation.channelId], topic: conversation.topic }
  }
  const { userIds } = conversation
  return { type: 'private' as const, to: userIds.length > 0 ? userIds : [ownId], topic: '' }
}
