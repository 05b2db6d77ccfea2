import type { AccountRow, SubscriptionRow } from '../../../../db/schema.ts'
import { groupBy } from '../../../../lib/collections/group-by.ts'
import { memoizePer } from '../../../../lib/collections/memoize-per.ts'
import type { RowChanges } from '../../../../log/consequences.ts'
import type { RealmState } from '../../../../log/realm-state.ts'
import { isActive } from '../../../kernel/channels/access.ts'
import { canSeeUser, limitedGuests } from '../../../kernel/users/user-visibility.ts'
import { personLimits } from './limits.ts'

type Pair = { viewer: AccountRow; user: AccountRow }

/** The guests who gain or lose visibility of users, by user. `beyondLimit`: those for whom it is more users than events tell of. */
type Met = { met: { userId: number; viewerIds: number[] }[]; beyondLimit: number[] }

/**
 * Returns the guests who gain or lose visibility of users through these subscriptions and conversations. Only applies where guests
 * may not see all users.
 */
export function guestsMet(rowChanges: RowChanges, how: 'gained' | 'lost') {
  return how === 'gained' ? gaining(rowChanges) : losing(rowChanges)
}

// Several features ask about the same change, which may be of very many subscriptions.
const gaining = memoizePer((rowChanges: RowChanges) => whoMet(rowChanges, pairsGained(rowChanges)))
const losing = memoizePer((rowChanges: RowChanges) => whoMet(rowChanges, lost(rowChanges)))

function whoMet({ before, after }: RowChanges, pairs: Iterable<Pair>): Met {
  const byViewer = new Map<number, AccountRow[]>()
  for (const { viewer, user } of pairs) {
    const users = byViewer.get(viewer.id) ?? []
    // There may be a hundred thousand pairs, so viewers beyond the limit are not checked further.
    if (users.length > personLimits.usersMet) continue
    if (canSeeUser(before, viewer, user) !== canSeeUser(after, viewer, user)) users.push(user)
    byViewer.set(viewer.id, users)
  }
  const beyondLimit = [...byViewer.keys()].filter((id) => byViewer.get(id)!.length > personLimits.usersMet)
  for (const id of beyondLimit) byViewer.delete(id)
  const changed = [...byViewer].flatMap(([viewerId, users]) => users.map((user) => ({ viewerId, user })))
  const met = [...groupBy(changed, ({ user }) => user.id)].map(([userId, pairs]) => ({
    userId,
    viewerIds: [...new Set(pairs.map(({ viewerId }) => viewerId))],
  }))
  return { met, beyondLimit }
}

/** Yields each such guest with each user with whom they begin to share a channel or a conversation. */
function* pairsGained({ before, rows }: RowChanges): Iterable<Pair> {
  for (const { after } of rows('recipient')) {
    const users = new Set(after?.user_ids)
    const viewers = limitedGuests(before, (id) => users.has(id))
    if (viewers.length > 0) yield* pairsOf(before, viewers, users, users)
  }
  const begun = rows('subscription').flatMap(({ before, after }) =>
    after && isActive(after) && !(before && isActive(before)) ? after : [],
  )
  yield* sharing(before, begun)
}

/** Yields each such guest with each user with whom they cease to share a channel. */
function* lost({ before, rows }: RowChanges): Iterable<Pair> {
  const ended = rows('subscription').flatMap(({ before, after }) =>
    before && after && isActive(before) && !isActive(after) ? after : [],
  )
  yield* sharing(before, ended)
}

function* sharing(before: RealmState, subscriptions: SubscriptionRow[]): Iterable<Pair> {
  for (const [channelId, rows] of groupBy(subscriptions, (row) => row.channel_id)) {
    const changed = new Set(rows.map((row) => row.user_id))
    // Most channels have no such guests, but may have very many subscribers.
    const viewers = limitedGuests(before, (id) => changed.has(id) || !!before.subscription(id, channelId))
    if (viewers.length === 0) continue
    const others = [...before.subscriptionsOfChannel(channelId)].map((row) => row.user_id)
    yield* pairsOf(before, viewers, changed, new Set([...others, ...changed]))
  }
}

/** Yields each pair of one of these guests and another user of `all`, where at least one of them is in `changed`. */
function* pairsOf(
  state: RealmState,
  viewers: AccountRow[],
  changed: Set<number>,
  all: Set<number>,
): Iterable<Pair> {
  for (const viewer of viewers) {
    for (const id of changed.has(viewer.id) ? all : changed) {
      // A user whom this change creates is announced to all users anyway.
      const user = state.users.get(id)
      if (user && user !== viewer) yield { viewer, user }
    }
  }
}
