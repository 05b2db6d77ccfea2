import type { AccountRow, SubscriptionRow } from '../../../db/schema.ts'
import { roles } from '../../../http/access.ts'
import { groupBy } from '../../../lib/group-by.ts'
import type { Consequent } from '../../../log/consequences.ts'
import type { RealmState } from '../../../log/realm-state.ts'
import { isActive } from '../../kernel/channels/access.ts'
import { canSeeAllUsers, canSeeUser } from '../../kernel/users/user-visibility.ts'

type Pair = { viewer: AccountRow; user: AccountRow }

/**
 * Returns, by user, the guests who gain or lose visibility of them through these subscriptions and conversations. Only
 * applies where guests may not see all users.
 */
export function guestsMet(consequent: Consequent, how: 'gained' | 'lost') {
  const { before, after } = consequent
  const changed = [...(how === 'gained' ? gained(consequent) : lost(consequent))].filter(
    ({ viewer, user }) => canSeeUser(before, viewer, user) !== canSeeUser(after, viewer, user),
  )
  return [...groupBy(changed, ({ user }) => user.id)].map(([userId, met]) => ({
    userId,
    viewerIds: [...new Set(met.map(({ viewer }) => viewer.id))],
  }))
}

/** Yields each such guest with each user with whom they begin to share a channel or a conversation. */
function* gained({ before, rows }: Consequent): Iterable<Pair> {
  for (const { after } of rows('recipient')) if (after) yield* among(before, after.user_ids ?? [])
  const begun = rows('subscription').flatMap(({ before, after }) =>
    after && isActive(after) && !(before && isActive(before)) ? after : [],
  )
  yield* sharing(before, begun)
}

/** Yields each such guest with each user with whom they cease to share a channel. */
function* lost({ before, rows }: Consequent): Iterable<Pair> {
  const ended = rows('subscription').flatMap(({ before, after }) =>
    before && after && isActive(before) && !isActive(after) ? after : [],
  )
  yield* sharing(before, ended)
}

function* sharing(before: RealmState, subscriptions: SubscriptionRow[]): Iterable<Pair> {
  for (const [channelId, changed] of groupBy(subscriptions, (row) => row.channel_id)) {
    const ids = changed.map((row) => row.user_id)
    const others = [...before.subscriptionsOfChannel(channelId)].map((row) => row.user_id)
    yield* among(before, ids, [...new Set([...others, ...ids])])
  }
}

/** Yields each pair of a guest who may not see all users and another user, where at least one of them is in `some`. */
function* among(state: RealmState, some: number[], all: number[] = some): Iterable<Pair> {
  const changed = new Set(some)
  // A user whom this change creates is announced to all users anyway.
  const people = all.flatMap((id) => state.users.get(id) ?? [])
  const movers = people.filter(({ id }) => changed.has(id))
  for (const viewer of people) {
    // Tested for each guest, not for each pair: there may be a million pairs.
    if (viewer.role !== roles.guest || !viewer.is_active || canSeeAllUsers(state, viewer)) continue
    for (const user of changed.has(viewer.id) ? people : movers) if (user !== viewer) yield { viewer, user }
  }
}
