import { without } from '../../../../lib/collections/without.ts'
import type { ClientState } from '../../../../queues/client-state.ts'
import { countUnread } from '../../../kernel/flags/client-unread.ts'
import { channelsOf, tracksSubscribers } from '../channels/stream.apply.ts'

type Channel = { stream_id: number }
/** With the fields of a channel, and its subscribers. */
type Subscription = Channel & { subscribers?: readonly number[] }

type Add = { op: 'add'; subscriptions: Subscription[] }
type Remove = { op: 'remove'; subscriptions: Channel[] }
type Peers = { op: 'peer_add' | 'peer_remove'; stream_ids: number[]; user_ids: number[] }
type Update = { op: 'update'; property: string; value: unknown; stream_id: number }

type SubscriptionEvent = Add | Remove | Peers | Update

export function applySubscription(state: ClientState, event: SubscriptionEvent) {
  switch (event.op) {
    case 'add':
      return event.subscriptions.forEach((subscription) => void add(state, subscription))
    case 'remove':
      return event.subscriptions.forEach(({ stream_id }) => void remove(state, stream_id))
    case 'update':
      return update(state, event)
    default:
      return changePeers(state, event)
  }
}

function add(state: ClientState, subscription: Subscription) {
  const { stream_id } = subscription
  const { subscribers, ...plain }: Record<string, unknown> = subscription
  const known = state.streams?.find((channel: Channel) => channel.stream_id === stream_id)
  for (const field in known) known[field] = plain[field]
  if (!state.subscriptions) return
  const own = tracksSubscribers(state) ? { ...plain, subscribers } : plain
  for (const list of ['subscriptions', 'unsubscribed', 'never_subscribed']) {
    state[list] = state[list].filter((channel: Channel) => channel.stream_id !== stream_id)
  }
  state.subscriptions.push(own)
  countUnread(state)
}

function remove(state: ClientState, channelId: number) {
  const own = state.subscriptions?.find((channel: Channel) => channel.stream_id === channelId)
  changePeers(state, { op: 'peer_remove', stream_ids: [channelId], user_ids: [state.user_id] })
  if (!own) return
  state.subscriptions = state.subscriptions.filter((channel: Channel) => channel !== own)
  state.unsubscribed.push(own)
}

function update(state: ClientState, { stream_id, property, value }: Update) {
  for (const subscription of state.subscriptions ?? []) {
    if (subscription.stream_id === stream_id) subscription[property] = value
  }
  countUnread(state)
}

function changePeers(state: ClientState, { op, stream_ids, user_ids }: Peers) {
  const concerned = new Set(stream_ids)
  for (const channel of channelsOf(state)) {
    if (!concerned.has(channel.stream_id)) continue
    channel.subscriber_count += op === 'peer_add' ? user_ids.length : -user_ids.length
    for (const list of ['subscribers', 'partial_subscribers']) {
      if (channel[list]) channel[list] = changedBy(channel[list], op, user_ids)
    }
  }
}

function changedBy(ids: number[], op: Peers['op'], userIds: number[]): number[] {
  const others = without(ids, userIds)
  return op === 'peer_add' ? [...others, ...userIds].sort((a, b) => a - b) : others
}
