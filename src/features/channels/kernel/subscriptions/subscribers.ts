import type { RealmState } from '../../../../log/realm-state.ts'
import { isActive } from '../../../kernel/channels/access.ts'
import { activityVersion } from '../../../people/users/activity.ts'

type Known = { madeFrom: string; ids: readonly number[] }

const knownOf = new WeakMap<RealmState, Map<number, Known>>()

/**
 * The ids of the active users who are subscribed to a channel, in rising order. Remembered until a subscription of it
 * changes, or who is active; as long as the list stays the same, it is the same array.
 */
export function subscribersOf(realm: RealmState, channelId: number): readonly number[] {
  let known = knownOf.get(realm)
  if (!known) {
    known = new Map()
    knownOf.set(realm, known)
  }
  const madeFrom = `${realm.subscriptionsOfChannel(channelId).version} ${activityVersion(realm)}`
  const found = known.get(channelId)
  if (found?.madeFrom === madeFrom) return found.ids
  const fresh = findSubscribers(realm, channelId)
  const ids = found && isSame(found.ids, fresh) ? found.ids : fresh
  known.set(channelId, { madeFrom, ids })
  return ids
}

function findSubscribers(realm: RealmState, channelId: number): number[] {
  const ids: number[] = []
  for (const subscription of realm.subscriptionsOfChannel(channelId)) {
    if (isActive(subscription) && realm.users.get(subscription.user_id)?.is_active)
      ids.push(subscription.user_id)
  }
  return ids.sort((a, b) => a - b)
}

function isSame(a: readonly number[], b: readonly number[]) {
  return a.length === b.length && a.every((id, i) => id === b[i])
}
