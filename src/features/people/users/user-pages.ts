import type { AccountRow } from '../../../db/schema.ts'
import { roles } from '../../../http/access.ts'
import { fragmentsOf } from '../../../http/fragment-cache.ts'
import type { Chunk } from '../../../lib/gzip-parts.ts'
import type { Site } from '../../../lib/site.ts'
import { mapInSlices } from '../../../lib/time-slice.ts'
import type { RealmState } from '../../../log/realm-state.ts'
import { userView } from '../../kernel/users/user-view.ts'

/** How to list users for a viewer who may see all of them. */
type UserListing = {
  realm: RealmState
  site: Site
  me: AccountRow
  clientGravatar: boolean
  includeProfile: boolean
  /** Whether each user has an `is_active` field. It is left out where all users of the list are active, or none are. */
  tellsActive: boolean
}

/**
 * The number of consecutive ids that share a page: small enough that one change costs little, large enough to compress
 * well.
 */
const idsPerPage = 256

/**
 * Returns user objects as JSON, separated by commas. They are built and compressed in pages, which viewers with the
 * same role share. `list` names which of the organization's users these are.
 */
export function userPages(listing: UserListing, list: string, users: Iterable<AccountRow>): Chunk[] {
  const pieces: Chunk[] = []
  for (const [page, rows] of pagesOf(users)) {
    pieces.push(pieces.length === 0 ? '' : ',', userPage(listing, `${list} ${page}`, rows))
  }
  return pieces
}

/**
 * Builds those of the same pages that are not cached, in short slices of the event loop's time. A list that is built
 * immediately afterwards finds them ready.
 */
export async function prepareUserPages(listing: UserListing, list: string, users: Iterable<AccountRow>) {
  await mapInSlices(pagesOf(users), ([page, rows]) => void userPage(listing, `${list} ${page}`, rows))
}

function pagesOf(rows: Iterable<AccountRow>) {
  const pages = new Map<number, AccountRow[]>()
  for (const row of rows) {
    const page = Math.floor(row.id / idsPerPage)
    const others = pages.get(page)
    if (others) others.push(row)
    else pages.set(page, [row])
  }
  return pages
}

function userPage(listing: UserListing, name: string, rows: AccountRow[]): Chunk {
  const { realm, me, clientGravatar, includeProfile, tellsActive } = listing
  // From administrator upwards, roles see the same fields of other users. No user has this id, so the view is that of
  // another user.
  const stranger = { ...me, id: -1, role: Math.max(me.role, roles.administrator) }
  const text = (viewer: AccountRow) => rows.map((row) => userJson(listing, row, viewer)).join()
  // Users always see their own address, even if no other user does.
  const isShy = () => userJson(listing, me, me) !== userJson(listing, me, stranger)
  if (rows.includes(me) && isShy()) return text(me)
  const told = includeProfile ? rows.map((row) => realm.profiles.get(row.id)) : []
  const madeFrom = [realm.realm, realm.profileFields.version, ...rows, ...told]
  const key = `users ${name} ${stranger.role} ${clientGravatar} ${includeProfile} ${tellsActive}`
  return fragmentsOf(realm).get(key, madeFrom, () => text(stranger))
}

function userJson(
  { realm, site, clientGravatar, includeProfile, tellsActive }: UserListing,
  user: AccountRow,
  viewer: AccountRow,
) {
  const { is_active, ...view } = userView(realm, site, user, { viewer, clientGravatar, includeProfile })
  return JSON.stringify(tellsActive ? { ...view, is_active } : view)
}
