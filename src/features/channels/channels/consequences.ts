import { roles } from '../../../lib/roles.ts'
import type { Consequence } from '../../../log/consequences.ts'
import { queueEnd } from '../../../queues/queue-end.ts'
import { channelLimits } from '../../kernel/channels/limits.ts'
import { guestsWhoCannotSee } from '../../kernel/users/user-visibility.ts'
import { defaultChannelsChanged } from '../kernel/channels/default_streams.event.ts'
import { defaultChannelIds } from '../kernel/channels/default-channels.ts'
import { channelsDeleted } from '../kernel/channels/stream.event.ts'
import {
  channelRevealed,
  prepareVisibilityChanges,
  visibilityChanges,
} from '../kernel/channels/visibility.ts'
import { byChannels, type ChangedSubscribers } from '../kernel/subscriptions/peers.ts'
import { emitSettingsNaming, unsetChannel } from './settings-naming.ts'

export const consequences: Consequence[] = [
  {
    of: ['channel'],
    async write({ change, rows }) {
      for (const { before, after } of rows('channel')) {
        if (before && after?.is_archived && !before.is_archived) await unsetChannel(change, after.id)
      }
    },
  },
  {
    // A user's roles and groups decide which channels they may see, and the waiting period who is a full member.
    of: ['account', 'group_member', 'group_subgroup', 'realm'],
    prepare: prepareVisibilityChanges,
    emit(rowChanges) {
      const { change, before } = rowChanges
      const { gained, lost } = visibilityChanges(rowChanges)
      const users = usersBeyondLimit(gained)
      if (users.size > 0) change.emit(queueEnd('stream', 'subscription'), { users: [...users] })
      for (const { channel, userIds } of gained) {
        const others = userIds.filter((id) => !users.has(id))
        if (others.length === 0) continue
        for (const event of channelRevealed(before, channel)) change.emit(event, { users: others })
      }
      for (const { channels, userIds } of byChannels(lost)) {
        change.emit(channelsDeleted(channels.map((channel) => channel.id)), { users: userIds })
      }
    },
  },
  {
    of: ['account'],
    emit(rowChanges) {
      const { change, after: state, rows } = rowChanges
      for (const { before, after } of rows('account')) {
        if (!before || !after) continue
        // Guests do not know the default channels for new users.
        const [wasGuest, isGuest] = [before.role === roles.guest, after.role === roles.guest]
        const ids = defaultChannelIds(state)
        if (wasGuest === isGuest || ids.length === 0) continue
        change.emit(defaultChannelsChanged(isGuest ? [] : ids), { users: [after.id] })
      }
    },
    emitLast(rowChanges) {
      for (const { before, after } of rowChanges.rows('account')) {
        if (!before || !after || before.is_active === after.is_active) continue
        if (after.is_active) emitSettingsNaming(rowChanges, after.id)
        else {
          // The others are told that the user is deactivated.
          const guests = guestsWhoCannotSee(rowChanges.after, after)
          if (guests.length > 0) emitSettingsNaming(rowChanges, after.id, guests)
        }
      }
    },
  },
]

/** Returns the users who gain more channels than their clients are told of, as each channel comes with its subscribers. */
function usersBeyondLimit(gained: ChangedSubscribers[]): Set<number> {
  if (gained.length <= channelLimits.channelsGained) return new Set()
  const counts = new Map<number, number>()
  for (const { userIds } of gained) for (const id of userIds) counts.set(id, (counts.get(id) ?? 0) + 1)
  return new Set([...counts.keys()].filter((id) => counts.get(id)! > channelLimits.channelsGained))
}
