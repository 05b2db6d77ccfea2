import type { Consequence } from '../../../log/consequences.ts'
import type { RealmState } from '../../../log/realm-state.ts'
import { isActive } from '../../kernel/channels/access.ts'
import { type ChangedSubscribers, emitPeers } from '../kernel/subscriptions/peers.ts'

/**
 * Deactivated users keep their subscriptions, but are no longer shown as subscribers. (subscribe-users.ts and
 * unsubscribe-users.ts emit the events of subscriptions that begin and end.)
 */
export const consequences: Consequence[] = [
  {
    of: ['account'],
    emit({ change, rows }) {
      for (const { before, after } of rows('account')) {
        if (!before || !after || before.is_active === after.is_active) continue
        emitPeers(change, after.is_active ? 'peer_add' : 'peer_remove', subscribedTo(change.state, after.id))
      }
    },
  },
]

function subscribedTo(realm: RealmState, userId: number): ChangedSubscribers[] {
  return [...realm.subscriptionsOfUser(userId)]
    .filter(isActive)
    .map(({ channel_id }) => ({ channel: realm.channels.require(channel_id), userIds: [userId] }))
}
