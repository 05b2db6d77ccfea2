import { roles } from '../../../../db/roles.ts'
import { namesIn } from '../../../../lib/collections/records.ts'
import { must } from '../../../../lib/must.ts'
import type { EventType, Listener } from '../../../../queues/event-type.ts'
import { hasMetadataAccess } from '../../../kernel/channels/access.ts'
import type { ChannelView, PersonalView, SubscriptionView } from '../channels/channel-view.ts'
import { applySubscription } from './subscription.apply.ts'

/**
 * Users are subscribed to the same channels, and each receives them with their personal settings. Colors come from a
 * small palette, so a few variants serve any number of users; `look` maps users to variants. With `for_unarchiving`,
 * the users were subscribed before, and the event is for clients that do not know of archiving (level 378).
 */
type Add = {
  type: 'subscription'
  op: 'add'
  channels: (ChannelView & { subscribers: readonly number[] })[]
  looks: PersonalView[][]
  look: Record<number, number>
  for_unarchiving?: true
}

type Remove = {
  type: 'subscription'
  op: 'remove'
  subscriptions: { name: string; stream_id: number }[]
} & Hidden

type Peers = {
  type: 'subscription'
  op: 'peer_add' | 'peer_remove'
  stream_ids: number[]
  user_ids: number[]
  for_unarchiving?: true
  /** The event is for these users themselves: each receives the others. */
  of_each_other?: true
} & Hidden

type Update = {
  type: 'subscription'
  op: 'update'
  property: string
  value: unknown
  stream_id: number
} & Hidden

type Hidden = {
  /** The archived channels of the event, which are hidden from clients that do not know of archiving. */
  archived_ids?: number[]
}

type Archivable = { id: number; is_archived: boolean }

type SubscriptionEvent = Add | Remove | Peers | Update
type AddOnWire = { type: 'subscription'; op: 'add'; subscriptions: SubscriptionView[] }
type OnWire = AddOnWire | Remove | Peers | Update

/** `personal`: for each user, their personal settings for each of the channels, in the same order. */
export function subscribed(
  channels: Add['channels'],
  personal: Iterable<readonly [number, PersonalView[]]>,
): Add {
  const numbers = new Map<string, number>()
  const looks: PersonalView[][] = []
  const look: Record<number, number> = {}
  for (const [userId, views] of personal) {
    const key = views.map(keyOf).join()
    const number = numbers.get(key) ?? looks.push(views) - 1
    numbers.set(key, number)
    look[userId] = number
  }
  return { type: 'subscription', op: 'add', channels, looks, look }
}

/** Returns a text that differs where settings do. Their JSON takes many times as long, and there may be a hundred thousand of them. */
function keyOf(view: PersonalView): string {
  let texts = ''
  let flags = 0
  for (const name of namesIn(view)) {
    const value = view[name]
    if (typeof value === 'string') texts += `${value},`
    else flags = 3 * flags + (value === null ? 2 : Number(value))
  }
  return `${texts}${flags}`
}

export function unsubscribed(channels: (Archivable & { name: string })[]): Remove {
  const subscriptions = channels.map(({ id, name }) => ({ name, stream_id: id }))
  return { type: 'subscription', op: 'remove', subscriptions, ...archivedAmong(channels) }
}

/**
 * Reports that other users have been subscribed to channels, or unsubscribed: each of the users, each of the channels.
 */
export function peersChanged(op: Peers['op'], channels: Archivable[], userIds: number[]): Peers {
  const stream_ids = idsOf(channels)
  return { type: 'subscription', op, stream_ids, user_ids: userIds, ...archivedAmong(channels) }
}

/** Reports to users who have left a channel together that the others have left. */
export function othersLeft(channel: Archivable, userIds: number[]): Peers {
  return { ...peersChanged('peer_remove', [channel], userIds), of_each_other: true }
}

export function subscriptionUpdated(channel: Archivable, property: string, value: unknown): Update {
  const archived = archivedAmong([channel])
  return { type: 'subscription', op: 'update', property, value, stream_id: channel.id, ...archived }
}

function archivedAmong(channels: Archivable[]): Hidden {
  const archived = channels.filter((channel) => channel.is_archived)
  return archived.length === 0 ? {} : { archived_ids: idsOf(archived) }
}

declare module '../../../../log/entry.ts' {
  interface Events {
    subscription: SubscriptionEvent
  }
}

export const subscriptionEvent = {
  type: 'subscription',

  variant(event, listener) {
    const { me, queue } = listener
    const knowsArchiving = queue.options.capabilities.archived_channels
    if ('for_unarchiving' in event && event.for_unarchiving && knowsArchiving) return null
    if (event.op === 'add') return String(event.look[me.id])
    if (!isOfPeers(event)) return variantOfOwn(event, knowsArchiving)
    const ids = streamIds(event, listener)
    if (ids.length === 0) return null
    return `${ids.length === event.stream_ids.length || ids.join()} ${event.of_each_other ? me.id : ''}`
  },

  wire(event, listener): OnWire {
    const { me, queue } = listener
    if (isOfPeers(event)) {
      const { type, op, user_ids, of_each_other } = event
      const stream_ids = streamIds(event, listener)
      return {
        type,
        op,
        stream_ids,
        user_ids: of_each_other ? user_ids.filter((id) => id !== me.id) : user_ids,
      }
    }
    if (event.op === 'update') return { ...event, archived_ids: undefined }
    if (event.op === 'remove') {
      const subscriptions = channelsKnown(event, queue.options.capabilities.archived_channels)
      return { type: event.type, op: event.op, subscriptions }
    }
    const personal = must(event.looks[event.look[me.id] ?? -1], 'look')
    const subscriptions = event.channels.map((channel, i) => ({ ...channel, ...personal[i]! }))
    return { type: event.type, op: event.op, subscriptions }
  },

  apply: applySubscription,
} satisfies EventType<SubscriptionEvent, unknown, OnWire>

/** Returns null if the client knows none of the channels. */
function variantOfOwn(event: Remove | Update, knowsArchiving: boolean) {
  if (event.archived_ids === undefined || knowsArchiving) return ''
  return event.op === 'remove' && channelsKnown(event, false).length > 0 ? 'without archived' : null
}

/** Returns those of the channels that the user has left that the client knows. */
function channelsKnown({ subscriptions, archived_ids = [] }: Remove, knowsArchiving: boolean) {
  return knowsArchiving ? subscriptions : subscriptions.filter((one) => !archived_ids.includes(one.stream_id))
}

function isOfPeers(event: SubscriptionEvent): event is Peers {
  return event.op === 'peer_add' || event.op === 'peer_remove'
}

/** Returns the channels of an event that a client knows. Guests do not know all of the public ones. */
function streamIds({ stream_ids, archived_ids = [] }: Peers, { state, me, queue }: Listener): number[] {
  const isGuest = me.role === roles.guest
  const hidden = queue.options.capabilities.archived_channels ? [] : archived_ids
  if (!isGuest && hidden.length === 0) return stream_ids
  return stream_ids.filter((id) => {
    const channel = state.channels.get(id)
    return !hidden.includes(id) && !(isGuest && channel && !hasMetadataAccess(state, me, channel))
  })
}

function idsOf(channels: Archivable[]) {
  return channels.map(({ id }) => id)
}
