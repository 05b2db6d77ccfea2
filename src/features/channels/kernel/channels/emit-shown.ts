import type { Change } from '../../../../log/change.ts'
import type { RealmState } from '../../../../log/realm-state.ts'
import { queueEnd } from '../../../../queues/queue-end.ts'
import { channelLimits } from '../../../kernel/channels/limits.ts'
import type { ChangedSubscribers } from '../subscriptions/peers.ts'
import { channelRevealed } from './visibility.ts'

/** Emits channels, as they are in `realm`, to users who begin to see them. */
export function emitShown(change: Change, realm: RealmState, gained: ChangedSubscribers[]) {
  const users = usersBeyondLimit(gained)
  if (users.size > 0) change.emit(queueEnd('stream', 'subscription'), { users: [...users] })
  for (const { channel, userIds } of gained) {
    const others = userIds.filter((id) => !users.has(id))
    if (others.length === 0) continue
    for (const event of channelRevealed(realm, channel)) change.emit(event, { users: others })
  }
}

/** Returns the users who gain more channels than their clients are told of, as each channel comes with its subscribers. */
function usersBeyondLimit(gained: ChangedSubscribers[]): Set<number> {
  if (gained.length <= channelLimits.channelsGained) return new Set()
  const counts = new Map<number, number>()
  for (const { userIds } of gained) for (const id of userIds) counts.set(id, (counts.get(id) ?? 0) + 1)
  return new Set([...counts.keys()].filter((id) => counts.get(id)! > channelLimits.channelsGained))
}
