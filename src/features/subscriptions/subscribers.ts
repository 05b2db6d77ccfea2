import type { RealmState } from '../../log/realm-state.ts'
import { isActive } from '../channels/access.ts'

type Remembered = { changedAt: number; lists: Map<number, readonly number[]> }

const remembered = new WeakMap<RealmState, Remembered>()

/** The ids of the active users who are subscribed to a channel, in rising order. Remembered until the state changes. */
export function subscribersOf(realm: RealmState, channelId: number): readonly number[] {
  // While an organization is being made, its state changes without saying so.
  if (realm.changedAt === 0) return findSubscribers(realm, channelId)
  let memory = remembered.get(realm)
  if (memory?.changedAt !== realm.changedAt) {
    memory = { changedAt: realm.changedAt, lists: new Map() }
    remembered.set(realm, memory)
  }
  const known = memory.lists.get(channelId)
  if (known) return known
  const list = findSubscribers(realm, channelId)
  memory.lists.set(channelId, list)
  return list
}

function findSubscribers(realm: RealmState, channelId: number): number[] {
  const ids: number[] = []
  for (const subscription of realm.subscriptionsOfChannel(channelId)) {
    if (isActive(subscription) && realm.users.get(subscription.user_id)?.is_active)
      ids.push(subscription.user_id)
  }
  return ids.sort((a, b) => a - b)
}
