import type { ClientState, EventType } from '../../queues/event-type.ts'
import type { ChannelView, PersonalView, SubscriptionView } from '../channels/channel-view.ts'
import { channelsOf, tracksSubscribers } from '../channels/stream.event.ts'

/**
 * Users are subscribed to the same channels, told to each in terms of their own. Colors come from a small palette, so
 * few looks serve any number of users; `look` says which is whose. With `for_unarchiving`, they have been so all along,
 * and it is for clients that do not know of archiving (level 378).
 */
type Add = {
  type: 'subscription'
  op: 'add'
  channels: (ChannelView & { subscribers: readonly number[] })[]
  looks: PersonalView[][]
  look: Record<number, number>
  for_unarchiving?: true
}

type Remove = { type: 'subscription'; op: 'remove'; subscriptions: { name: string; stream_id: number }[] }
type Peers = {
  type: 'subscription'
  op: 'peer_add' | 'peer_remove'
  stream_ids: number[]
  user_ids: number[]
  for_unarchiving?: true
  /** For these very users, each of whom hears of the others. */
  of_each_other?: true
}
type Update = { type: 'subscription'; op: 'update'; property: string; value: unknown; stream_id: number }

type SubscriptionEvent = Add | Remove | Peers | Update
type AddOnWire = { type: 'subscription'; op: 'add'; subscriptions: SubscriptionView[] }
type OnWire = AddOnWire | Remove | Peers | Update

/** `personal`: for each user, what is their own in each of the channels, in the same order. */
export function subscribed(channels: Add['channels'], personal: Map<number, PersonalView[]>): Add {
  const numbers = new Map<string, number>()
  const looks: PersonalView[][] = []
  const look: Record<number, number> = {}
  for (const [userId, views] of personal) {
    const key = JSON.stringify(views)
    const number = numbers.get(key) ?? looks.push(views) - 1
    numbers.set(key, number)
    look[userId] = number
  }
  return { type: 'subscription', op: 'add', channels, looks, look }
}

export function unsubscribed(channels: { id: number; name: string }[]): Remove {
  const subscriptions = channels.map(({ id, name }) => ({ name, stream_id: id }))
  return { type: 'subscription', op: 'remove', subscriptions }
}

/** Others have been subscribed to channels (or unsubscribed): each of the users, each of the channels. */
export function peersChanged(op: Peers['op'], channelIds: number[], userIds: number[]): Peers {
  return { type: 'subscription', op, stream_ids: channelIds, user_ids: userIds }
}

/** For users who have left a channel together: each hears of the others. */
export function othersLeft(channelId: number, userIds: number[]): Peers {
  return { ...peersChanged('peer_remove', [channelId], userIds), of_each_other: true }
}

export function subscriptionUpdated(channelId: number, property: string, value: unknown): Update {
  return { type: 'subscription', op: 'update', property, value, stream_id: channelId }
}

export const subscriptionEvent = {
  type: 'subscription',

  variant(event, { me, queue }) {
    const forUnarchiving = 'for_unarchiving' in event && event.for_unarchiving
    if (forUnarchiving && queue.options.capabilities.archived_channels) return null
    if ('of_each_other' in event) return `of others than ${me.id}`
    return event.op === 'add' ? String(event.look[me.id]) : ''
  },

  wire(event, { me }): OnWire {
    if (event.op === 'peer_add' || event.op === 'peer_remove') {
      const { for_unarchiving: _, of_each_other: isOfEachOther, ...wire } = event
      return isOfEachOther ? { ...wire, user_ids: wire.user_ids.filter((id) => id !== me.id) } : wire
    }
    if (event.op !== 'add') return event
    const personal = event.looks[event.look[me.id]!]!
    const subscriptions = event.channels.map((channel, i) => ({ ...channel, ...personal[i]! }))
    return { type: event.type, op: event.op, subscriptions }
  },

  apply(state: ClientState, event: OnWire) {
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
  },
} satisfies EventType<SubscriptionEvent>

function add(state: ClientState, subscription: SubscriptionView) {
  const { stream_id } = subscription
  const { subscribers, ...plain } = subscription
  const known = state.streams?.find((channel: ChannelView) => channel.stream_id === stream_id)
  for (const field in known) known[field] = plain[field as keyof ChannelView]
  if (!state.subscriptions) return
  const own = tracksSubscribers(state) ? { ...plain, subscribers } : plain
  for (const list of ['subscriptions', 'unsubscribed', 'never_subscribed']) {
    state[list] = state[list].filter((channel: SubscriptionView) => channel.stream_id !== stream_id)
  }
  state.subscriptions.push(own)
}

function remove(state: ClientState, channelId: number) {
  const own = state.subscriptions?.find((channel: SubscriptionView) => channel.stream_id === channelId)
  changePeers(state, peersChanged('peer_remove', [channelId], [state.user_id]))
  if (!own) return
  state.subscriptions = state.subscriptions.filter((channel: SubscriptionView) => channel !== own)
  state.unsubscribed.push(own)
}

function update(state: ClientState, { stream_id, property, value }: Update) {
  for (const subscription of state.subscriptions ?? []) {
    if (subscription.stream_id === stream_id) subscription[property] = value
  }
}

function changePeers(state: ClientState, { op, stream_ids, user_ids }: Peers) {
  for (const channel of channelsOf(state)) {
    if (!stream_ids.includes(channel.stream_id)) continue
    channel.subscriber_count += op === 'peer_add' ? user_ids.length : -user_ids.length
    if (!channel.subscribers) continue
    const others = channel.subscribers.filter((id: number) => !user_ids.includes(id))
    channel.subscribers = op === 'peer_add' ? [...others, ...user_ids].sort((a, b) => a - b) : others
  }
}
