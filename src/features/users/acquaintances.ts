import type { AccountRow, RecipientRow, SubscriptionRow } from '../../db/schema.ts'
import { roles } from '../../http/access.ts'
import { groupBy } from '../../lib/group-by.ts'
import type { Change } from '../../log/change.ts'
import type { RealmState } from '../../log/realm-state.ts'
import { canAccess, canAccessAll } from './known-users.ts'
import { sightOfUser } from './realm_user.event.ts'

type Pair = { viewer: AccountRow; user: AccountRow }

/**
 * Tells guests whom a change lets them get to know, and who is lost from their sight by it, where guests may not know
 * everybody. To be called when the change has written its subscriptions and conversations.
 */
export function tellOfAcquaintances(change: Change) {
  const { state } = change
  const pairs = [...meetings(change)]
  if (pairs.length === 0) return
  const know = (realm: RealmState) => pairs.map(({ viewer, user }) => canAccess(realm, viewer, user))
  const [before, after] = [know(state), change.ahead(know)]
  const changed = pairs.filter((_, i) => before[i] !== after[i])
  for (const [id, met] of groupBy(changed, ({ user }) => user.id)) {
    change.emit(sightOfUser(id), { users: [...new Set(met.map(({ viewer }) => viewer.id))] })
  }
}

/** Each such guest with each of those with whom the change lets them begin or cease to share something. */
function* meetings({ state, images }: Change): Iterable<Pair> {
  const subscriptions: SubscriptionRow[] = []
  for (const [table, , row] of images) {
    if (table === 'recipient' && row) yield* among(state, (row as RecipientRow).user_ids ?? [])
    if (table === 'subscription' && row) subscriptions.push(row as SubscriptionRow)
  }
  for (const [channelId, rows] of groupBy(subscriptions, (row) => row.channel_id)) {
    const changed = rows.map((row) => row.user_id)
    const others = [...state.subscriptionsOfChannel(channelId)].map((row) => row.user_id)
    yield* among(state, changed, [...new Set([...others, ...changed])])
  }
}

/** Each pair of a guest who may not know everybody and another, at least one of whom is one of these users. */
function* among(state: RealmState, some: number[], all: number[] = some): Iterable<Pair> {
  const changed = new Set(some)
  // Of whoever comes to be by this same change, everybody is told anyway.
  const people = all.flatMap((id) => state.users.get(id) ?? [])
  const movers = people.filter(({ id }) => changed.has(id))
  for (const viewer of people) {
    // Asked of each guest, not of each pair: of those there may be a million.
    if (viewer.role !== roles.guest || !viewer.is_active || canAccessAll(state, viewer)) continue
    for (const user of changed.has(viewer.id) ? people : movers) if (user !== viewer) yield { viewer, user }
  }
}
