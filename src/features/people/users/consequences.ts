import type { AccountRow } from '../../../db/schema.ts'
import type { Site } from '../../../lib/site.ts'
import type { Consequence, RowChanges } from '../../../log/consequences.ts'
import { queueEnd } from '../../../queues/queue-end.ts'
import { userSetting } from '../../kernel/users/settings.ts'
import { apiEmail, emailVisibility, mayCompute } from '../../kernel/users/user-view.ts'
import { administratorIds } from '../kernel/users/administrators.ts'
import { exportConsent } from '../kernel/users/realm_export_consent.event.ts'
import {
  avatarChanged,
  emailShown,
  userAdded,
  userUpdated,
  userVisibilityChanged,
} from '../kernel/users/realm_user.event.ts'
import { guestsMet } from '../kernel/users/visibility.ts'
import { emitAddressesByRole } from './addresses-by-role.ts'

const everyone = { everyone: true } as const

/** The events that follow from changes of a user. The event types decide which users receive which fields. */
export const consequences = (site: Site): Consequence[] => [
  {
    of: ['account'],
    emit(rowChanges) {
      for (const { before, after } of rowChanges.rows('account')) {
        if (!after) continue
        if (before) emitUpdates(rowChanges, site, before, after)
        else rowChanges.change.emit(userAdded(rowChanges.after, site, after), everyone)
      }
    },
    emitLast(rowChanges) {
      for (const { before, after } of rowChanges.rows('account')) {
        if (!before || !after || emailVisibility(before) === emailVisibility(after)) continue
        rowChanges.change.emit(emailShown(before, after), everyone)
        emitApiEmail(rowChanges, site, before, after)
      }
    },
  },
  {
    of: ['subscription', 'recipient'],
    // Users are known before they are in a channel, and until they have left.
    emit: (rowChanges) => emitVisibility(rowChanges, 'gained'),
    emitLast: (rowChanges) => emitVisibility(rowChanges, 'lost'),
  },
]

function emitVisibility(rowChanges: RowChanges, how: 'gained' | 'lost') {
  const { met, beyondLimit } = guestsMet(rowChanges, how)
  // Queues for the presence and the status of these users end, too, as clients show them with the user.
  const end = queueEnd('realm_user', 'presence', 'user_status')
  if (beyondLimit.length > 0) rowChanges.change.emit(end, { users: beyondLimit })
  for (const { userId, viewerIds } of met) {
    rowChanges.change.emit(userVisibilityChanged(userId), { users: viewerIds })
  }
}

function emitUpdates(rowChanges: RowChanges, site: Site, before: AccountRow, after: AccountRow) {
  const { change } = rowChanges
  const update = (changes: Parameters<typeof userUpdated>[1]) => {
    change.emit(userUpdated(after.id, changes), everyone)
  }
  emitAddress(rowChanges, site, before, after)
  if (after.role !== before.role) {
    update({ role: after.role })
    emitAddressesByRole(rowChanges, site, before, after)
  }
  if (after.full_name !== before.full_name) update({ full_name: after.full_name })
  if (after.avatar_version !== before.avatar_version)
    change.emit(avatarChanged(rowChanges.after, site, after), everyone)
  if (after.is_active === before.is_active) return
  update({ is_active: after.is_active })
  if (after.is_active && after.bot_type === null) {
    const consents = userSetting(after, 'allow_private_data_export')
    change.emit(exportConsent(after.id, consents), { users: administratorIds(rowChanges.before) })
  }
}

function emitAddress(rowChanges: RowChanges, site: Site, before: AccountRow, after: AccountRow) {
  if (after.delivery_email === before.delivery_email) return
  rowChanges.change.emit(userUpdated(after.id, { delivery_email: after.delivery_email }), everyone)
  emitApiEmail(rowChanges, site, before, after)
}

/** Emits the address by which the API knows a user. It depends on the real address and on who may see it. */
function emitApiEmail(
  { change, after: state }: RowChanges,
  site: Site,
  before: AccountRow,
  after: AccountRow,
) {
  const email = apiEmail(state, site, after)
  if (email === apiEmail(state, site, before)) return
  change.emit(userUpdated(after.id, { new_email: email }), everyone)
  // Clients that compute avatars find those of gravatar.com by the address.
  if (after.avatar_source === 'G' && mayCompute(state))
    change.emit(avatarChanged(state, site, after), everyone)
}
