import type { AccountRow } from '../../../db/schema.ts'
import { roles } from '../../../http/access.ts'
import { fragmentsOf } from '../../../http/fragment-cache.ts'
import type { Chunk } from '../../../lib/gzip-parts.ts'
import type { Site } from '../../../lib/site.ts'
import { mapInSlices } from '../../../lib/time-slice.ts'
import type { RealmState } from '../../../log/realm-state.ts'
import { userView } from '../../kernel/users/user-view.ts'

/** How users are listed for somebody who may know all of them. */
type UserListing = {
  realm: RealmState
  site: Site
  me: AccountRow
  clientGravatar: boolean
  includeProfile: boolean
  /** Whether it is said of each user if they are active: not where all of a list are, or none. */
  tellsActive: boolean
}

/** How many consecutive ids share a page: few enough that one change costs little, enough to be packed well. */
const idsPerPage = 256

/**
 * User objects as JSON, between commas. They are made and packed in pages, which all of the same standing get alike.
 * `list` names which of the organization's users these are.
 */
export function userPages(listing: UserListing, list: string, users: Iterable<AccountRow>): Chunk[] {
  const pieces: Chunk[] = []
  for (const [page, rows] of pagesOf(users)) {
    pieces.push(pieces.length === 0 ? '' : ',', userPage(listing, `${list} ${page}`, rows))
  }
  return pieces
}

/**
 * Makes the same pages, as far as they are not there, in slices of the event loop's time. What lists users in one moment
 * finds them ready afterwards.
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
  // Roles from administrator upwards see the same of others. Nobody has this id: this is how people see strangers.
  const stranger = { ...me, id: -1, role: Math.max(me.role, roles.administrator) }
  const text = (viewer: AccountRow) => rows.map((row) => userJson(listing, row, viewer)).join()
  // One's own address is always shown, even if nobody else sees it.
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
