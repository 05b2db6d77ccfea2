import { bestMatches, plain } from '../../lib/fuzzy.ts'
import { type Conversation, conversationKey, type Term, termsOf } from '../../lib/route.ts'
import { goTo, goToHash } from '../../lib/router.ts'
import { channels, isMutedTopic, shownTopic, subscribed } from '../../store/channels.ts'
import { knownMessageIds, message } from '../../store/messages.ts'
import { activeUsers } from '../../store/people.ts'
import { currentState, derived } from '../../store/server-state.ts'
import { unreadTopics } from '../../store/unread.ts'

/** A place that the search can open: a channel, a topic, a person. */
export type SearchPlace =
  | { kind: 'channel'; channelId: number; name: string }
  | { kind: 'topic'; channelId: number; topic: string; name: string }
  | { kind: 'person'; userId: number; name: string; email: string }
  /** A day of the view that is open. */
  | { kind: 'day'; day: string; terms: Term[]; name: string }
  /** A view or a setting; `section`: the settings that it belongs to. */
  | { kind: 'screen'; address: string; name: string; section?: string }

type Named<T> = T & { plain: string }

// Made anew only when the lists change, so that a key costs no more than comparing.
const channelPlaces = derived(() =>
  [...channels().values()]
    .filter((one) => !one.is_archived)
    .sort((a, b) => Number(subscribed().has(b.stream_id)) - Number(subscribed().has(a.stream_id)))
    .map((one) => named({ kind: 'channel' as const, channelId: one.stream_id, name: one.name })),
)
const peoplePlaces = derived(() =>
  activeUsers().map((one) =>
    named({
      kind: 'person' as const,
      userId: one.user_id,
      name: one.full_name,
      email: one.delivery_email ?? '',
    }),
  ),
)

/** The topics of which the client knows: those with unread messages, and those of messages that were loaded. */
export function knownTopics(): Named<SearchPlace & { kind: 'topic' }>[] {
  const found = new Map<string, Named<SearchPlace & { kind: 'topic' }>>()
  const add = (channelId: number, topic: string) => {
    const key = conversationKey({ channelId, topic })
    if (!found.has(key) && !isMutedTopic(channelId, topic))
      found.set(key, named({ kind: 'topic', channelId, topic, name: shownTopic(topic) }))
  }
  for (const { channelId, topic } of unreadTopics()) add(channelId, topic)
  for (const id of knownMessageIds().toSorted((a, b) => b - a)) {
    const one = message(id)
    if (one?.type === 'stream') add(one.stream_id ?? 0, one.subject)
  }
  return [...found.values()]
}

/** The places that fit what was typed; `#` first means channels alone, `@` people. */
export function findPlaces(typed: string, topics: Named<SearchPlace & { kind: 'topic' }>[]): SearchPlace[] {
  const kind = typed[0]
  const words = kind === '#' || kind === '@' ? typed.slice(1) : typed
  const nameOf = (one: { plain: string }) => one.plain
  if (kind === '#') return bestMatches(channelPlaces(), nameOf, words, 12)
  if (kind === '@') return bestMatches(peoplePlaces(), nameOf, words, 12)
  return [
    ...bestMatches(channelPlaces(), nameOf, words, 4),
    ...bestMatches(topics, nameOf, words, 5),
    ...bestMatches(peoplePlaces(), nameOf, words, 5),
  ]
}

export function findPeople(typed: string, count: number) {
  return bestMatches(peoplePlaces(), (one) => one.plain, typed, count)
}

export function findChannels(typed: string, count: number) {
  return bestMatches(channelPlaces(), (one) => one.plain, typed, count)
}

/** The conversation in which one writes at a place; none in a channel without a topic. */
export function conversationOf(place: SearchPlace): Conversation | undefined {
  if (place.kind === 'topic') return { channelId: place.channelId, topic: place.topic }
  if (place.kind === 'person')
    return { userIds: place.userId === currentState().user_id ? [] : [place.userId] }
  return undefined
}

export function openPlace(place: SearchPlace) {
  const conversation = conversationOf(place)
  if (conversation) goTo({ view: 'narrow', terms: termsOf(conversation, currentState().user_id) })
  else if (place.kind === 'channel')
    goTo({ view: 'narrow', terms: [{ operator: 'channel', operand: place.channelId }] })
  else if (place.kind === 'screen') goToHash(`#${place.address}`)
}

function named<T extends { name: string }>(one: T): Named<T> {
  return { ...one, plain: plain(one.name) }
}
