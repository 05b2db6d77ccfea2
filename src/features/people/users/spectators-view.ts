import type { AccountRow } from '../../../db/schema.ts'
import type { Site } from '../../../lib/site.ts'
import type { RealmState } from '../../../log/realm-state.ts'
import { spectatorOf } from '../../kernel/channels/web-public.ts'
import { standInEmail, unknownUserView, userView } from '../../kernel/users/user-view.ts'
import { canSeeUser } from '../../kernel/users/user-visibility.ts'

/**
 * Returns a user as callers who are not logged in see them: enough to show their messages, but no contact details or
 * presence. Returns a stand-in if the organization hides its users from guests.
 */
export function spectatorsView(realm: RealmState, site: Site, user: AccountRow) {
  const viewer = spectatorOf(realm, site)
  if (!canSeeUser(realm, viewer, user)) return { ...unknownUserView(realm, site, user), is_active: true }
  const { bot_owner_id: _, ...view } = userView(realm, site, user, { viewer, clientGravatar: false })
  return {
    ...view,
    email: standInEmail(realm, site, user.id),
    timezone: '',
    date_joined: view.date_joined.slice(0, 10),
  }
}
