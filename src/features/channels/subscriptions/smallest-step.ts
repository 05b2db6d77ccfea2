import type { ChannelRow } from '../../../db/schema.ts'
import type { RealmState } from '../../../log/realm-state.ts'
import { subscriptionLimits } from './limits.ts'

/**
 * Returns how many users a step subscribes to these channels at least. Each step writes the whole list of subscribers of each
 * channel for those who are new. So the longer these lists are, the more users a step takes, and the fewer steps there are.
 */
export function smallestStep(realm: RealmState, channels: (ChannelRow | undefined)[]): number {
  const { subscriptionsInFirstStep, subscribersPerSubscription, subscriptionsForLists } = subscriptionLimits
  const listed = channels.reduce(
    (sum, channel) => sum + (channel ? realm.subscriptionsOfChannel(channel.id).size : 0),
    0,
  )
  const forLists = Math.min(Math.ceil(listed / subscribersPerSubscription), subscriptionsForLists)
  return Math.ceil(Math.max(subscriptionsInFirstStep, forLists) / channels.length)
}
