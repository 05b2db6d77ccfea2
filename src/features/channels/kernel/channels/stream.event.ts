import { topicPolicies } from '../../../../narrow/condition.ts'
import type { ClientState, EventType } from '../../../../queues/event-type.ts'
import type { ChannelView } from './channel-view.ts'

/**
 * A channel has been created, or has become visible to the listeners. With `for_unarchiving`, the event is for clients
 * that do not know of archiving (level 378).
 */
type Create = { type: 'stream'; op: 'create'; streams: ChannelView[]; for_unarchiving?: true }

/**
 * Channels are no longer visible to the listeners. `streams` repeats the ids for old clients. With `for_archiving`, the
 * event is for clients that do not know of archiving (level 378).
 */
type Delete = {
  type: 'stream'
  op: 'delete'
  streams: { stream_id: number }[]
  stream_ids: number[]
  for_archiving?: true
}

/** One property of a channel has changed; `name` is the channel's previous name. */
type Update = {
  type: 'stream'
  op: 'update'
  property: string
  value: unknown
  stream_id: number
  name: string
  rendered_description?: string
  history_public_to_subscribers?: boolean
  is_web_public?: boolean
}

type StreamEvent = Create | Delete | Update

/** The fields that accompany a new description or privacy. */
const furtherFields = ['rendered_description', 'history_public_to_subscribers', 'is_web_public'] as const
export type Further = Pick<Update, (typeof furtherFields)[number]>

export function channelCreated(channel: ChannelView): Create {
  return { type: 'stream', op: 'create', streams: [channel] }
}

export function channelsDeleted(ids: number[]): Delete {
  return { type: 'stream', op: 'delete', streams: ids.map((stream_id) => ({ stream_id })), stream_ids: ids }
}

export function channelUpdated(
  channel: { id: number; name: string },
  property: string,
  value: unknown,
  further: Further = {},
): Update {
  return {
    type: 'stream',
    op: 'update',
    property,
    value,
    stream_id: channel.id,
    name: channel.name,
    ...further,
  }
}

declare module '../../../../log/entry.ts' {
  interface Events {
    stream: StreamEvent
  }
}

export const streamEvent = {
  type: 'stream',

  // Clients that do not know of archiving receive no events about archived channels.
  variant(event, { queue }) {
    const knowsArchiving = queue.options.capabilities.archived_channels
    return isFor(event, knowsArchiving) ? '' : null
  },

  wire(event): object {
    if (event.op === 'update') return event
    return { ...event, for_archiving: undefined, for_unarchiving: undefined }
  },

  apply(state: ClientState, event: StreamEvent) {
    if (event.op === 'create') for (const channel of event.streams) addChannel(state, channel)
    else if (event.op === 'delete') for (const id of event.stream_ids) removeChannel(state, id)
    else updateChannel(state, event)
    nameMutedTopics(state)
  },
} satisfies EventType<StreamEvent>

function isFor(event: StreamEvent, knowsArchiving: boolean): boolean {
  switch (event.op) {
    case 'create':
      return event.for_unarchiving
        ? !knowsArchiving
        : knowsArchiving || event.streams.some((channel) => !channel.is_archived)
    case 'delete':
      return !(event.for_archiving && knowsArchiving)
    default:
      return knowsArchiving || event.property !== 'is_archived'
  }
}

/** The lists of channels in a client's state. Lists that the client did not ask for are missing. */
const lists = ['streams', 'subscriptions', 'unsubscribed', 'never_subscribed'] as const

// biome-ignore lint/suspicious/noExplicitAny: it is whatever the wire says
export function channelsOf(state: ClientState): any[] {
  return lists.flatMap((list) => state[list] ?? [])
}

/** Returns whether the client asked for the subscribers of its channels. */
export function tracksSubscribers(state: ClientState) {
  const known = [state.subscriptions, state.unsubscribed, state.never_subscribed].flatMap(
    (list) => list ?? [],
  )
  return known.every((channel) => 'subscribers' in channel)
}

function addChannel(state: ClientState, channel: ChannelView) {
  const withSubscribers = tracksSubscribers(state) && { subscribers: [] }
  removeChannel(state, channel.stream_id)
  state.streams?.push({ ...channel })
  state.never_subscribed?.push({ ...channel, ...withSubscribers })
}

function removeChannel(state: ClientState, id: number) {
  for (const list of lists) {
    if (state[list]) state[list] = state[list].filter((channel: ChannelView) => channel.stream_id !== id)
  }
}

/** Lists muted topics under the names of channels that the client knows and that are not archived. */
function nameMutedTopics(state: ClientState) {
  if (!state.muted_topics || !state.user_topics) return
  const names = new Map<number, string>()
  for (const channel of channelsOf(state))
    if (!channel.is_archived) names.set(channel.stream_id, channel.name)
  const muted = state.user_topics.filter(
    (one: UserTopic) => one.visibility_policy === topicPolicies.muted && names.has(one.stream_id),
  )
  state.muted_topics = muted.map((one: UserTopic) => [
    names.get(one.stream_id),
    one.topic_name,
    one.last_updated,
  ])
}

type UserTopic = { stream_id: number; topic_name: string; last_updated: number; visibility_policy: number }

function updateChannel(state: ClientState, event: Update) {
  const { property, value, stream_id } = event
  for (const channel of channelsOf(state)) {
    if (channel.stream_id !== stream_id) continue
    channel[property] = value
    for (const name of furtherFields) if (event[name] !== undefined) channel[name] = event[name]
  }
}
