import { roles } from '../../../http/access.ts'
import type { Consequence } from '../../../log/consequences.ts'
import { guestsWhoCannotSee } from '../../kernel/users/user-visibility.ts'
import { defaultChannelsChanged } from '../kernel/channels/default_streams.event.ts'
import { defaultChannelIds } from '../kernel/channels/default-channels.ts'
import { channelsDeleted } from '../kernel/channels/stream.event.ts'
import { channelRevealed, visibilityChanges } from '../kernel/channels/visibility.ts'
import { byChannels } from '../kernel/subscriptions/peers.ts'
import { emitSettingsNaming } from './settings-naming.ts'

export const consequences: Consequence[] = [
  {
    // A user's roles and groups decide which channels they may see, and the waiting period who is a full member.
    of: ['account', 'group_member', 'group_subgroup', 'realm'],
    emit(consequent) {
      const { change, before } = consequent
      const { gained, lost } = visibilityChanges(consequent)
      for (const { channel, userIds } of gained) {
        for (const event of channelRevealed(before, channel)) change.emit(event, { users: userIds })
      }
      for (const { channels, userIds } of byChannels(lost)) {
        change.emit(channelsDeleted(channels.map((channel) => channel.id)), { users: userIds })
      }
    },
  },
  {
    of: ['account'],
    emit(consequent) {
      const { change, after: state, rows } = consequent
      for (const { before, after } of rows('account')) {
        if (!before || !after) continue
        // Guests do not know the default channels for new users.
        const [wasGuest, isGuest] = [before.role === roles.guest, after.role === roles.guest]
        const ids = defaultChannelIds(state)
        if (wasGuest === isGuest || ids.length === 0) continue
        change.emit(defaultChannelsChanged(isGuest ? [] : ids), { users: [after.id] })
      }
    },
    emitLast(consequent) {
      for (const { before, after } of consequent.rows('account')) {
        if (!before || !after || before.is_active === after.is_active) continue
        if (after.is_active) emitSettingsNaming(consequent, after.id)
        else {
          // The others are told that the user is deactivated.
          const guests = guestsWhoCannotSee(consequent.after, after)
          if (guests.length > 0) emitSettingsNaming(consequent, after.id, guests)
        }
      }
    },
  },
]
