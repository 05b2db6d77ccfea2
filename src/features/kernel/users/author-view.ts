import type { AccountRow } from '../../../db/schema.ts'
import type { Site } from '../../../lib/site.ts'
import type { RealmState } from '../../../log/realm-state.ts'
import { isSpectator } from '../channels/web-public.ts'
import { apiEmail, avatarUrl, standInEmail, unknownAvatar, unknownName } from './user-view.ts'
import { canSeeUser } from './user-visibility.ts'

/** What messages, reactions and the like say of whoever they are from, as the viewer may know them. */
export function authorView(realm: RealmState, site: Site, author: AccountRow, viewer: AccountRow) {
  const isKnown = canSeeUser(realm, viewer, author)
  return {
    email: authorEmail(realm, site, author, isKnown && !isSpectator(viewer)),
    full_name: isKnown ? author.full_name : unknownName,
  }
}

/** The address of their avatar; null for a client that computes it. */
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
 * Distinguishes viewers to whom the author looks different, and moments between which somebody may have come to look
 * different: for the variants of events.
 */
export function authorVariant(realm: RealmState, author: AccountRow, viewer: AccountRow): string {
  return `${+canSeeUser(realm, viewer, author)}@${realm.users.version}`
}
