import { derivedPer } from '../../../../log/derived.ts'
import type { RealmState } from '../../../../log/realm-state.ts'
import { isActive } from '../../../kernel/channels/access.ts'
import { activityVersion } from '../../../people/users/activity.ts'

/**
 * Returns the ids of the active users who are subscribed to a channel, in ascending order. While the list is the same,
 * so is the array.
 */
export const subscribersOf = derivedPer(
  (realm, channelId: number) =>
    `${realm.subscriptionsOfChannel(channelId).version} ${activityVersion(realm)}`,
  (realm, channelId, before: readonly number[] | undefined): readonly number[] => {
    const ids = findSubscribers(realm, channelId)
    return before && isSame(before, ids) ? before : ids
  },
)

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
