import type { AccountRow } from '../../db/schema.ts'
import type { Site } from '../../lib/site.ts'
import type { Change } from '../../log/change.ts'
import { avatarChanged, emailShown, userUpdated } from './realm_user.event.ts'
import { apiEmail, mayCompute } from './user-view.ts'

/** Tells of a new address those who see it; and all, if it is the one by which the API knows the user. */
export function tellOfEmail(change: Change, site: Site, before: AccountRow, after: AccountRow) {
  // Only those who see the address are told of it, as the event type has it.
  change.emit(userUpdated(after.id, { delivery_email: after.delivery_email }), { everyone: true })
  tellOfApiEmail(change, site, before, after)
}

/**
 * Tells that somebody shows their address to others than before: whoever sees it now and did not hears it, whoever did and
 * does not, that it is gone; and all, if by that the API knows the user by another.
 */
export function tellOfEmailShown(change: Change, site: Site, before: AccountRow, after: AccountRow) {
  change.emit(emailShown(before, after), { everyone: true })
  tellOfApiEmail(change, site, before, after)
}

function tellOfApiEmail(change: Change, site: Site, before: AccountRow, after: AccountRow) {
  const { state } = change
  const email = apiEmail(state, site, after)
  if (email === apiEmail(state, site, before)) return
  change.emit(userUpdated(after.id, { new_email: email }), { everyone: true })
  // Where clients compute it, an avatar of gravatar.com is found by the address.
  if (after.avatar_source === 'G' && mayCompute(state))
    change.emit(avatarChanged(state, site, after), { everyone: true })
}
