import { mapInSlices } from '../../../../lib/async/time-slice.ts'
import { hasSameItems } from '../../../../lib/collections/has-same-items.ts'
import { derivedPer } from '../../../../log/derived.ts'
import type { RealmState } from '../../../../log/realm-state.ts'
import { isActive } from '../../../kernel/channels/access.ts'
import { activityVersion, inactiveUsers } from '../../../people/users/activity.ts'

/**
 * Returns the ids of the active users who are subscribed to a channel, in ascending order. While the list is the same,
 * so is the array.
 */
export const subscribersOf = derivedPer(
  (realm, channelId: number) =>
    `${realm.subscriptionsOfChannel(channelId).version} ${activityVersion(realm)}`,
  (realm, channelId, before: readonly number[] | undefined): readonly number[] => {
    const ids = findSubscribers(realm, channelId)
    return before && hasSameItems(before, ids) ? before : ids
  },
)

function findSubscribers(realm: RealmState, channelId: number): number[] {
  const inactive = inactiveUsers(realm)
  const ids = subscribedUsers(realm, channelId).toSorted()
  return Array.from(inactive.size === 0 ? ids : ids.filter((id) => !inactive.has(id)))
}

/**
 * Returns the ids of all users who are subscribed to a channel, active or not. One change may look
 * at hundreds of channels, and a compact list is read many times faster than the rows.
 */
export const subscribedUsers = derivedPer(
  (realm, channelId: number) => realm.subscriptionsOfChannel(channelId).version,
  (realm, channelId): Int32Array => {
    const rows = realm.subscriptionsOfChannel(channelId)
    const ids = new Int32Array(rows.size)
    let count = 0
    for (const row of rows) if (isActive(row)) ids[count++] = row.user_id
    return ids.subarray(0, count)
  },
)

/**
 * Makes these lists for all channels of a user, in slices of time. Call it before a change that needs all of them at the
 * same moment.
 */
export async function prepareSubscribers(realm: RealmState, userId: number) {
  await mapInSlices([...realm.subscriptionsOfUser(userId)], (row) => subscribedUsers(realm, row.channel_id))
}
