import type { AccountRow } from '../../../db/schema.ts'
import type { Site } from '../../../lib/site.ts'
import type { RealmState } from '../../../log/realm-state.ts'
import { isSpectator } from '../channels/web-public.ts'
import { apiEmail, avatarUrl, standInEmail, unknownAvatar, unknownName } from './user-view.ts'
import { canSeeUser } from './user-visibility.ts'

/** Returns the fields that describe the author of a message, reaction and the like, as the viewer may see them. */
export function authorView(realm: RealmState, site: Site, author: AccountRow, viewer: AccountRow) {
  const isKnown = canSeeUser(realm, viewer, author)
  return {
    email: authorEmail(realm, site, author, isKnown && !isSpectator(viewer)),
    full_name: isKnown ? author.full_name : unknownName,
  }
}

/** Returns the address of the author's avatar; null for a client that computes it. */
export function authorAvatar(
  realm: RealmState,
  site: Site,
  author: AccountRow,
  viewer: AccountRow,
  clientGravatar: boolean,
): string | null {
  if (!canSeeUser(realm, viewer, author)) return unknownAvatar(realm, site, author.id)
  return avatarUrl(realm, site, author, { clientComputes: clientGravatar, viewer })
}

function authorEmail(realm: RealmState, site: Site, author: AccountRow, isShown: boolean) {
  return isShown ? apiEmail(realm, site, author) : standInEmail(realm, site, author.id)
}

/**
 * Returns a key that distinguishes viewers to whom the author looks different, and times between which an author's
 * appearance may have changed. Variants of events use it.
 */
export function authorVariant(realm: RealmState, author: AccountRow, viewer: AccountRow): string {
  return `${+canSeeUser(realm, viewer, author)}@${realm.users.version}`
}
