import { topicPolicies } from '../../../../narrow/condition.ts'
import type { ClientState } from '../../../../queues/client-state.ts'

type UserTopic = { stream_id: number; topic_name: string; last_updated: number; visibility_policy: number }

/** One property of a channel has changed; `name` is the channel's previous name. */
export type ChannelUpdate = {
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

/** The fields that accompany a new description or privacy. */
const furtherFields = ['rendered_description', 'history_public_to_subscribers', 'is_web_public'] as const
export type FurtherField = (typeof furtherFields)[number]

/** The lists of channels in a client's state. Lists that the client did not ask for are missing. */
const lists = ['streams', 'subscriptions', 'unsubscribed', 'never_subscribed'] as const

type Channel = { stream_id: number }
type ChannelEvent =
  | { op: 'create'; streams: Channel[] }
  | { op: 'delete'; stream_ids: number[] }
  | ChannelUpdate

export function applyStream(state: ClientState, event: ChannelEvent) {
  if (event.op === 'create') for (const channel of event.streams) addChannel(state, channel)
  else if (event.op === 'delete') for (const id of event.stream_ids) removeChannel(state, id)
  else updateChannel(state, event)
  nameMutedTopics(state)
}

function addChannel(state: ClientState, channel: Channel) {
  const withSubscribers = tracksSubscribers(state) && { subscribers: [] }
  removeChannel(state, channel.stream_id)
  state.streams?.push({ ...channel })
  state.never_subscribed?.push({ ...channel, ...withSubscribers })
}

function removeChannel(state: ClientState, id: number) {
  for (const list of lists) {
    if (state[list]) state[list] = state[list].filter((channel: Channel) => channel.stream_id !== id)
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

function updateChannel(state: ClientState, event: ChannelUpdate) {
  const { property, value, stream_id } = event
  for (const channel of channelsOf(state)) {
    if (channel.stream_id !== stream_id) continue
    channel[property] = value
    for (const name of furtherFields) if (event[name] !== undefined) channel[name] = event[name]
  }
  if (property === 'name') renameDefaults(state, event)
}

/** Bots have their default channels by name. */
function renameDefaults({ realm_bots: bots = [] }: ClientState, { name, value }: ChannelUpdate) {
  for (const bot of bots) {
    for (const field of ['default_sending_stream', 'default_events_register_stream']) {
      if (bot[field] === name) bot[field] = value
    }
  }
}

// biome-ignore lint/suspicious/noExplicitAny: it is whatever the wire says
export function channelsOf(state: ClientState): any[] {
  return lists.flatMap((list) => state[list] ?? [])
}

/** Returns whether the client asked for the subscribers of its channels, all or a part of them. */
export function tracksSubscribers(state: ClientState) {
  const known = [state.subscriptions, state.unsubscribed, state.never_subscribed].flatMap(
    (list) => list ?? [],
  )
  return known.every((channel) => 'subscribers' in channel || 'partial_subscribers' in channel)
}
