import { roles } from '../db/roles.ts'
import type { Interval } from '../db/values.ts'
import type { Audience } from '../log/entry.ts'
import type { RealmState } from '../log/realm-state.ts'

/** Whether a user belongs to an audience. */
export function isInAudience(state: RealmState, audience: Audience, userId: number): boolean {
  if (audience.except?.includes(userId)) return false
  if (audience.everyone || audience.users?.includes(userId)) return true
  if (audience.nonGuests && state.users.get(userId)?.role !== roles.guest) return true
  if (audience.message && receivedMessage(state, audience.message, userId)) return true
  return audience.subscribed?.some((part) => wasSubscribed(state, part, userId)) ?? false
}

/** Whether a user received a message: as a participant, or as a subscriber of the channel when it was sent. */
export function receivedMessage(
  state: RealmState,
  message: { id: number; recipient: number },
  userId: number,
) {
  return wasSubscribed(state, { recipient: message.recipient, at: [message.id] }, userId)
}

function wasSubscribed(state: RealmState, part: { recipient: number; at: number[] }, userId: number) {
  const recipient = state.recipients.get(part.recipient)
  if (!recipient) return false
  if (recipient.user_ids) return recipient.user_ids.includes(userId)
  const subscription = state.subscription(userId, recipient.channel_id)
  return subscription !== undefined && part.at.every((id) => isInIntervals(subscription.received, id))
}

/**
 * Whether a message is in a public channel, so that queues for all public channels receive it without a subscription.
 */
export function isPublicMessage(state: RealmState, audience: Audience) {
  const recipient = audience.message && state.recipients.get(audience.message.recipient)
  const channel = recipient?.channel_id && state.channels.get(recipient.channel_id)
  return Boolean(channel && !channel.is_private)
}

/** Whether an id lies in one of the intervals. The newest is the most likely. */
export function isInIntervals(intervals: Interval[], id: number) {
  for (let i = intervals.length - 1; i >= 0; i--) {
    const [from, to] = intervals[i]!
    if (id >= from) return to === null || id < to
  }
  return false
}

/**
 * Yields the values of those `candidates`, which are keyed by user id, that an audience may include; isInAudience has the last word. It
 * walks the smaller of the two sets: a message to ten of ten thousand waiting users does not cost ten thousand steps, nor does one to
 * ten thousand users of whom ten wait.
 */
export function* candidatesIn<T>(
  state: RealmState,
  audience: Audience,
  candidates: ReadonlyMap<number, T>,
): Iterable<T> {
  if (audience.everyone || audience.nonGuests) {
    yield* candidates.values()
    return
  }
  const seen = new Set<number>()
  for (const userId of addressees(state, audience, candidates)) {
    const candidate = candidates.get(userId)
    if (candidate === undefined || seen.has(userId)) continue
    seen.add(userId)
    yield candidate
  }
}

function* addressees(state: RealmState, audience: Audience, candidates: ReadonlyMap<number, unknown>) {
  yield* audience.users ?? []
  const parts = [...(audience.message ? [audience.message] : []), ...(audience.subscribed ?? [])]
  for (const id of new Set(parts.map((part) => part.recipient))) yield* peopleOf(state, id, candidates)
}

function* peopleOf(state: RealmState, recipientId: number, candidates: ReadonlyMap<number, unknown>) {
  const recipient = state.recipients.get(recipientId)
  if (recipient?.user_ids) yield* recipient.user_ids
  if (!recipient?.channel_id) return
  const subscriptions = state.subscriptionsOfChannel(recipient.channel_id)
  if (subscriptions.size > candidates.size) yield* candidates.keys()
  else for (const subscription of subscriptions) yield subscription.user_id
}
