import type { Consequence, Consequent } from '../../../log/consequences.ts'
import type { Audience } from '../../../log/entry.ts'
import { guestsMet } from '../kernel/users/visibility.ts'
import { statusView } from './status.ts'
import { statusChanged } from './user_status.event.ts'

export const consequences: Consequence[] = [
  {
    // Statuses are shown without those of deactivated users.
    of: ['account'],
    emitLast(consequent) {
      for (const { before, after } of consequent.rows('account')) {
        if (before && after?.is_active && !before.is_active)
          emitStatus(consequent, after.id, { everyone: true })
      }
    },
  },
  {
    of: ['subscription', 'recipient'],
    emitLast(consequent) {
      for (const { userId, viewerIds } of guestsMet(consequent, 'gained')) {
        emitStatus(consequent, userId, { users: viewerIds })
      }
    },
  },
]

function emitStatus({ change, after }: Consequent, userId: number, audience: Audience) {
  const status = after.statuses.get(userId)
  if (status) change.emit(statusChanged(userId, statusView(status)), audience)
}
