import { createHash } from 'node:crypto'
import type { AccountRow } from '../../../db/schema.ts'
import { must } from '../../../lib/must.ts'
import type { Site } from '../../../lib/site.ts'
import type { RealmState } from '../../../log/realm-state.ts'
import { patternUrl } from '../../kernel/pictures/addresses.ts'
import { avatarUrl, gravatarUrl, usesGravatar } from '../../kernel/users/user-view.ts'
import { canSeeUser } from '../../kernel/users/user-visibility.ts'
import { findByEmail } from '../kernel/users/access.ts'

/**
 * Returns the address of a user's avatar, by id or email address. For a user whom the viewer may not see, returns a
 * pattern made from the request, so that the response does not reveal whether the user exists.
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
  if (!found || !canSeeUser(realm, viewer, found)) return stranger(realm, asked, medium)
  return must(avatarUrl(realm, site, found, { clientComputes: false, medium, viewer }), 'avatar')
}

function stranger(realm: RealmState, asked: string, medium: boolean): string {
  if (usesGravatar(realm)) return gravatarUrl(asked, 1, medium)
  const hash = createHash('sha256').update(asked.toLowerCase()).digest('hex')
  const seed = /^\d{1,10}$/.test(asked) ? String(Number(asked)) : `x${hash.slice(0, 16)}`
  return `${patternUrl(realm.id, seed, medium)}?v=1`
}
