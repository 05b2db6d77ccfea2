import { roles } from '../../../db/roles.ts'
import type { Consequence } from '../../../log/consequences.ts'
import { guestsWhoCannotSee } from '../../kernel/users/user-visibility.ts'
import { defaultChannelsChanged } from '../kernel/channels/default_streams.event.ts'
import { defaultChannelIds } from '../kernel/channels/default-channels.ts'
import { emitShown } from '../kernel/channels/emit-shown.ts'
import { channelsDeleted } from '../kernel/channels/stream.event.ts'
import { prepareVisibilityChanges, visibilityChanges } from '../kernel/channels/visibility.ts'
import { byChannels } from '../kernel/subscriptions/peers.ts'
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
      emitShown(change, before, gained)
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
