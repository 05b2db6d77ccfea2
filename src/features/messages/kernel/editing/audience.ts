import type { Interval } from '../../../../db/values.ts'
import { countBelow } from '../../../../lib/collections/count-below.ts'
import { firstIn, lastIn } from '../../../../lib/must.ts'
import type { Change } from '../../../../log/change.ts'
import type { Audience } from '../../../../log/entry.ts'
import type { RealmState } from '../../../../log/realm-state.ts'
import { isInIntervals } from '../../../../queues/audience.ts'
import { notAlreadyInAudience, usersWithFlagOrReactionQuery } from '../../../kernel/messages/audience.ts'

/**
 * Returns the users who may have any of these messages (ids in ascending order): users who received one of them,
 * current subscribers, and users who have a flag or reaction on one. The events themselves decide which user may see
 * which message.
 */
export async function audienceOfAll(change: Change, recipient: number, ids: number[]): Promise<Heard> {
  const channelId = change.state.recipients.require(recipient).channel_id
  if (!channelId) return { subscribed: [{ recipient, at: [] }], users: [] }
  const next = change.lastMessageId + 1
  const subscribed = momentsOf(change.state, channelId, ids, next).map((id) => ({ recipient, at: [id] }))
  const holders = firstIn(await change.run(usersWithFlagOrReactionQuery(change.state.id, ids)))
  return { subscribed, users: notAlreadyInAudience(change.state, subscribed, next, holders.users) }
}

type Heard = Required<Pick<Audience, 'subscribed' | 'users'>>

/**
 * Returns moments such that every user who received any of the messages was subscribed at one of them. The oldest
 * message, the newest message and now cover nearly all users. As few more moments as possible cover the users who came
 * and left in between.
 */
function momentsOf(realm: RealmState, channelId: number, ids: number[], next: number): number[] {
  const moments = [...new Set([firstIn(ids), lastIn(ids), next])]
  if (ids.length <= 2) return moments
  const stays: Stay[] = []
  for (const { received } of realm.subscriptionsOfChannel(channelId)) {
    if (moments.some((id) => isInIntervals(received, id))) continue
    const stay = stayAmong(ids, received)
    if (stay) stays.push(stay)
  }
  // The last moment of the first user to leave covers all users who have joined by then.
  let latest = 0
  for (const { first, last } of stays.sort((a, b) => a.last - b.last)) {
    if (first <= latest) continue
    latest = last
    moments.push(last)
  }
  return moments
}

/** The oldest and the newest message that a user received while subscribed. */
type Stay = { first: number; last: number }

// Thousands of users may have left, so the search does not scan all ids for each of them.
function stayAmong(ids: number[], received: Interval[]): Stay | undefined {
  for (const [from, to] of received) {
    const start = countBelow(ids, from)
    const end = to === null ? ids.length : countBelow(ids, to)
    if (start < end) return { first: ids[start]!, last: ids[end - 1]! }
  }
  return undefined
}
