import { roles } from '../../../db/roles.ts'
import type { Consequence } from '../../../log/consequences.ts'
import { defaultGroupsChanged } from './default_stream_groups.event.ts'
import { canBeOffered, defaultGroups } from './default-groups.ts'

export const consequences: Consequence[] = [
  {
    // All users except guests receive the groups. The groups also change when one of their channels stops or starts
    // being available.
    of: ['default_channel_group', 'channel'],
    emitLast({ change, after, rows }) {
      const offered = new Set([...after.defaultChannelGroups.values()].flatMap((group) => group.channel_ids))
      const isOtherOffer = rows('channel').some(({ before, after }) => {
        return before && after && offered.has(after.id) && canBeOffered(before) !== canBeOffered(after)
      })
      if (rows('default_channel_group').length === 0 && !isOtherOffer) return
      change.emit(defaultGroupsChanged(defaultGroups(after)), { nonGuests: true })
    },
  },
  {
    of: ['account'],
    emit({ change, after: state, rows }) {
      for (const { before, after } of rows('account')) {
        if (!before || !after) continue
        const [wasGuest, isGuest] = [before.role === roles.guest, after.role === roles.guest]
        if (wasGuest === isGuest) continue
        const groups = defaultGroups(state)
        if (groups.length === 0) continue
        change.emit(defaultGroupsChanged(isGuest ? [] : groups), { users: [after.id] })
      }
    },
  },
]
