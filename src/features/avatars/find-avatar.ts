import type { AccountRow } from '../../db/schema.ts'
import type { Site } from '../../lib/site.ts'
import type { RealmState } from '../../log/realm-state.ts'
import { findByEmail } from '../users/access.ts'
import { canAccess } from '../users/known-users.ts'
import { avatarUrl, patternUrl } from '../users/user-view.ts'

/**
 * The address of the avatar of a user by id or e-mail address. For whomever the viewer may not know of, that of a
 * pattern made from what was asked, so that nothing shows who there is.
 */
export function findAvatar(
  realm: RealmState,
  site: Site,
  viewer: AccountRow,
  asked: string,
  medium: boolean,
): string {
  const found = /^\d{1,10}$/.test(asked)
    ? realm.users.get(Number(asked))
    : findByEmail(realm, site, viewer, asked)
  if (!found || !canAccess(realm, viewer, found)) return patternUrl(asked, 1, medium)
  return avatarUrl(realm, site, found, { clientComputes: false, medium, viewer })!
}
