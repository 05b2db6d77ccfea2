import type { AccountRow, ChannelRow } from '../../db/schema.ts'
import { subscriptionLimits } from '../../features/channels/subscriptions/limits.ts'
import { smallestStep } from '../../features/channels/subscriptions/smallest-step.ts'
import { subscribeUsers } from '../../features/channels/subscriptions/subscribe-users.ts'
import { unsubscribeUsers } from '../../features/channels/subscriptions/unsubscribe-users.ts'
import type { RealmLog } from '../../log/realm-log.ts'
import { inSteps } from '../../log/steps.ts'

/** Subscribes users to a channel, in steps if they are many; returns how many were not in it before. */
export async function subscribeInSteps(
  log: RealmLog,
  { id }: ChannelRow,
  users: AccountRow[],
): Promise<number> {
  const counts = await inSteps(
    log.commit,
    users,
    () => smallestStep(log.state, [log.state.channels.get(id)]),
    async (change, part) => {
      const channel = change.state.channels.require(id)
      if (channel.is_archived) {
        throw new Error(`The channel ${channel.name} is archived; rookery channel restore opens it again.`)
      }
      const { subscribed } = await subscribeUsers(change, { channels: [channel], users: part })
      return { count: subscribed.size }
    },
  )
  return sum(counts)
}

/** Unsubscribes users in steps, as above. Returns how many were subscribed. */
export async function unsubscribeInSteps(
  { commit }: RealmLog,
  { id }: ChannelRow,
  users: AccountRow[],
): Promise<number> {
  const counts = await inSteps(
    commit,
    users,
    subscriptionLimits.subscriptionsInFirstStep,
    async (change, part) => {
      const channels = [change.state.channels.require(id)]
      return { count: (await unsubscribeUsers(change, { channels, users: part })).length }
    },
  )
  return sum(counts)
}

function sum(counts: { count: number }[]): number {
  return counts.reduce((total, { count }) => total + count, 0)
}
