import type { AccountRow } from '../../../db/schema.ts'
import type { Site } from '../../../lib/site.ts'
import type { RowChanges } from '../../../log/consequences.ts'
import { queueEnd } from '../../../queues/queue-end.ts'
import { mayCompute, seesEmail } from '../../kernel/users/user-view.ts'
import { personLimits } from '../kernel/users/limits.ts'
import { avatarChanged, userUpdated } from '../kernel/users/realm_user.event.ts'

/** Emits to a user with a new role the real addresses that they see now, and hides those that they no longer see. */
export function emitAddressesByRole(
  { change, after: state }: RowChanges,
  site: Site,
  before: AccountRow,
  after: AccountRow,
) {
  const audience = { users: [after.id] }
  const changed = [...state.users.values()].filter(
    (user) => seesEmail(before, user) !== seesEmail(after, user),
  )
  if (changed.length > personLimits.addressesByRole) return change.emit(queueEnd('realm_user'), audience)
  for (const user of changed) {
    const delivery_email = seesEmail(after, user) ? user.delivery_email : null
    change.emit(userUpdated(user.id, { delivery_email }), audience)
    // Clients that compute avatars have no address of the picture of a user whose email they knew.
    if (delivery_email === null && user.avatar_source === 'G' && mayCompute(state))
      change.emit(avatarChanged(state, site, user), audience)
  }
}
