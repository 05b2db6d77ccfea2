import type { ClientState, EventType } from '../../queues/event-type.ts'
import type { ChannelView } from './channel-view.ts'

/** A channel has come to be, or has become visible to those who hear it. */
type Create = { type: 'stream'; op: 'create'; streams: ChannelView[] }

/** Channels have been archived, or those who hear it have lost sight of them. `streams` repeats the ids for old clients. */
type Delete = { type: 'stream'; op: 'delete'; streams: { stream_id: number }[]; stream_ids: number[] }

/** One property of a channel has changed; `name` is the channel's name before. */
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

export type StreamEvent = Create | Delete | Update

export function channelCreated(channel: ChannelView): Create {
  return { type: 'stream', op: 'create', streams: [channel] }
}

export function channelsDeleted(ids: number[]): Delete {
  return { type: 'stream', op: 'delete', streams: ids.map((stream_id) => ({ stream_id })), stream_ids: ids }
}

/** `further`: the fields that travel with a new description or privacy. */
export function channelUpdated(
  channel: { id: number; name: string },
  property: string,
  value: unknown,
  further: Pick<Update, 'rendered_description' | 'history_public_to_subscribers' | 'is_web_public'> = {},
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

export const streamEvent = {
  type: 'stream',

  apply(state: ClientState, event: StreamEvent) {
    if (event.op === 'create') for (const channel of event.streams) addChannel(state, channel)
    else if (event.op === 'delete') for (const id of event.stream_ids) removeChannel(state, id)
    else updateChannel(state, event)
  },
} satisfies EventType<StreamEvent>

/** The lists of channels in a client's state; those that it did not ask for are missing. */
const lists = ['streams', 'subscriptions', 'unsubscribed', 'never_subscribed'] as const

// biome-ignore lint/suspicious/noExplicitAny: it is whatever the wire says
export function channelsOf(state: ClientState): any[] {
  return lists.flatMap((list) => state[list] ?? [])
}

/** Whether the client asked for the subscribers of its channels. */
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

function updateChannel(state: ClientState, event: Update) {
  const { property, value, stream_id, type: _type, op: _op, name: _name, ...further } = event
  for (const channel of channelsOf(state)) {
    if (channel.stream_id === stream_id) Object.assign(channel, { [property]: value }, further)
  }
}
