import type { AccountRow } from '../../db/schema.ts'
import type { Site } from '../../lib/site.ts'
import type { Change } from '../../log/change.ts'
import { avatarChanged, userUpdated } from './realm_user.event.ts'
import { apiEmail } from './user-view.ts'

/** Tells of a new address those who see it; and all, if it is the one by which the API knows the user. */
export function tellOfEmail(change: Change, site: Site, before: AccountRow, after: AccountRow) {
  const { state } = change
  const email = apiEmail(state, site, after)
  // Only those who see the address are told of it, as the event type has it.
  change.emit(userUpdated(after.id, { delivery_email: after.delivery_email }), { everyone: true })
  if (email === apiEmail(state, site, before)) return
  change.emit(userUpdated(after.id, { new_email: email }), { everyone: true })
  if (after.avatar_source === 'G') change.emit(avatarChanged(state, site, after), { everyone: true })
}
