import { roles } from '../../../db/roles.ts'
import type { AccountRow } from '../../../db/schema.ts'
import { fragmentsOf } from '../../../http/responses/fragment-cache.ts'
import { mapInSlices } from '../../../lib/async/time-slice.ts'
import { groupBy } from '../../../lib/collections/group-by.ts'
import type { Chunk } from '../../../lib/gzip/gzip-chunks.ts'
import type { Site } from '../../../lib/site.ts'
import { derived } from '../../../log/derived.ts'
import type { RealmState } from '../../../log/realm-state.ts'
import { userView } from '../../kernel/users/user-view.ts'
import { personLimits } from '../kernel/users/limits.ts'

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
 * Returns user objects as JSON, separated by commas. They are built and compressed in pages, which viewers with the
 * same role share. `list` names which of the organization's users these are.
 */
export function userPages(listing: UserListing, list: string, users: () => Iterable<AccountRow>): Chunk[] {
  const { realm, me } = listing
  const lists = wholeLists(realm)
  const key = keyOf(listing, list)
  const pages = lists.get(key) ?? pagesOf(listing, list, users())
  lists.set(key, pages)
  const own = pages.get(pageOf(me))
  const isShy = own?.rows.includes(me) && isSeenOtherwise(listing)
  return [...pages.values()].flatMap((page, i) => [
    i === 0 ? '' : ',',
    isShy && page === own ? textOf(listing, page.rows, me) : page.chunk,
  ])
}

/** Whole lists by kind, until a row of these tables changes. Comparing each row would take longer than sending the list. */
const wholeLists = derived(
  ({ realms, users, profiles, profileFields }) =>
    [realms, users, profiles, profileFields].map((table) => table.version).join(),
  () => new Map<string, Pages>(),
)

/**
 * Builds those of the same pages that are not cached, in short slices of the event loop's time. A list that is built
 * immediately afterwards finds them ready.
 */
export async function prepareUserPages(
  listing: UserListing,
  list: string,
  users: () => Iterable<AccountRow>,
) {
  if (wholeLists(listing.realm).has(keyOf(listing, list))) return
  await mapInSlices(byPage(users()), ([page, rows]) => void userPage(listing, list, page, rows))
}

type Page = { rows: AccountRow[]; chunk: Chunk }
type Pages = Map<number, Page>

function pagesOf(listing: UserListing, list: string, users: Iterable<AccountRow>): Pages {
  const pages: Pages = new Map()
  for (const [page, rows] of byPage(users)) {
    pages.set(page, { rows, chunk: userPage(listing, list, page, rows) })
  }
  return pages
}

function byPage(rows: Iterable<AccountRow>) {
  return groupBy(rows, pageOf)
}

function pageOf({ id }: AccountRow) {
  return Math.floor(id / personLimits.userIdsPerPage)
}

/** Returns a page as other users see it. */
function userPage(listing: UserListing, list: string, page: number, rows: AccountRow[]): Chunk {
  const { realm, includeProfile } = listing
  const told = includeProfile ? rows.map((row) => realm.profiles.get(row.id)) : []
  const madeFrom = [realm.row, realm.profileFields.version, ...rows, ...told]
  const text = () => textOf(listing, rows, strangerTo(listing))
  return fragmentsOf(realm).get(`users ${page} ${keyOf(listing, list)}`, madeFrom, text)
}

/** Everything that a list depends on besides rows. */
function keyOf(listing: UserListing, list: string) {
  const { clientGravatar, includeProfile, tellsActive } = listing
  return `${list} ${strangerTo(listing).role} ${clientGravatar} ${includeProfile} ${tellsActive}`
}

/**
 * Returns a viewer who sees the same as this one of all other users: all roles from administrator upwards see the same fields, and no user has
 * the id of this viewer.
 */
function strangerTo({ me }: UserListing): AccountRow {
  return { ...me, id: -1, role: Math.max(me.role, roles.administrator) }
}

/** Whether the viewer's own object differs for others: users always see their own address, even if no other user does. */
function isSeenOtherwise(listing: UserListing) {
  const { me } = listing
  return userJson(listing, me, me) !== userJson(listing, me, strangerTo(listing))
}

function textOf(listing: UserListing, rows: AccountRow[], viewer: AccountRow) {
  return rows.map((row) => userJson(listing, row, viewer)).join()
}

function userJson(
  { realm, site, clientGravatar, includeProfile, tellsActive }: UserListing,
  user: AccountRow,
  viewer: AccountRow,
) {
  const { is_active, ...view } = userView(realm, site, user, { viewer, clientGravatar, includeProfile })
  return JSON.stringify(tellsActive ? { ...view, is_active } : view)
}
