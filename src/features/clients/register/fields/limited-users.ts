import type { AccountRow } from '../../../../db/schema.ts'
import { groupBy } from '../../../../lib/group-by.ts'
import type { Chunk } from '../../../../lib/gzip-parts.ts'
import { hasSameItems } from '../../../../lib/has-same-items.ts'
import { memoizePer } from '../../../../lib/memoize-per.ts'
import { mapInSlices } from '../../../../lib/time-slice.ts'
import { unknownUserView, userView } from '../../../kernel/users/user-view.ts'
import { visibleUsersFilter } from '../../../kernel/users/user-visibility.ts'
import { JsonPieces, type Registration } from '../section.ts'

/** A user who is listed, and whether the viewer may see them. */
type Listed = { user: AccountRow; isKnown: boolean }

/** The JSON of some users, and what it was made from. */
type Page = { madeFrom: unknown[]; text: Buffer }

/** The number of consecutive ids that share a page: a few milliseconds of work, and enough text to compress well by itself. */
const idsPerPage = 256

/** What was prepared for a request, by the first id of the page, and the versions of what it was made from. */
type Prepared = { from: string; pages: Map<number, Page> }

const preparedFor = memoizePer<object, Prepared>(() => ({ from: '', pages: new Map() }))

/** Makes the active users for a viewer who may not see all users into JSON, in short slices of the event loop's time. */
export async function prepareLimitedUsers(registration: Registration) {
  const prepared = preparedFor(registration.request)
  prepared.from = versionsFor(registration)
  prepared.pages.clear()
  await mapInSlices(pagesFor(registration, true), ([first, listed]) => {
    prepared.pages.set(first, pageOf(registration, listed, undefined))
  })
}

/**
 * Returns the active users, or the others, for a viewer who may not see all users. A client with user_list_incomplete does not
 * receive users whom the viewer may not see; other clients receive a stand-in without a name. Prepared pages are used where all
 * that they were made from is as it was.
 */
export function limitedUsers(registration: Registration, active: boolean): JsonPieces {
  const pages = [...(active ? activePages(registration) : makePages(registration, active))]
  return new JsonPieces([
    '[',
    ...pages.flatMap(({ text }, i): Chunk[] => (i === 0 ? [text] : [',', text])),
    ']',
  ])
}

function activePages(registration: Registration): Iterable<Page> {
  const { from, pages } = preparedFor(registration.request)
  return from === versionsFor(registration) ? pages.values() : makePages(registration, true, pages)
}

function makePages(
  registration: Registration,
  active: boolean,
  prepared?: ReadonlyMap<number, Page>,
): Page[] {
  return Array.from(pagesFor(registration, active), ([first, listed]) =>
    pageOf(registration, listed, prepared?.get(first)),
  )
}

/** Changes whenever a list of users for a limited viewer may change. */
function versionsFor({ realm, me }: Registration): string {
  const { realms, users, profiles, profileFields, subscriptions, recipients } = realm
  const tables = [realms, users, profiles, profileFields, subscriptions, recipients]
  return `${me.id} ${tables.map(({ version }) => version).join()}`
}

function pagesFor({ realm, me, capabilities }: Registration, active: boolean): Map<number, Listed[]> {
  const isKnown = visibleUsersFilter(realm, me)
  const listed: Listed[] = []
  for (const user of realm.users.values()) {
    if (user.is_system_bot) continue
    if (isKnown(user)) {
      if (user.is_active === active) listed.push({ user, isKnown: true })
    } else if (active && !capabilities.user_list_incomplete) {
      // The active state of a hidden user is not revealed either.
      listed.push({ user, isKnown: false })
    }
  }
  return groupBy(listed, ({ user }) => user.id - (user.id % idsPerPage))
}

function pageOf(registration: Registration, listed: Listed[], before: Page | undefined): Page {
  const { realm, me } = registration
  const rows = listed.flatMap(({ user, isKnown }) => [user, isKnown, realm.profiles.get(user.id)])
  const madeFrom = [realm.realm, realm.profileFields.version, me, ...rows]
  if (before && hasSameItems(before.madeFrom, madeFrom)) return before
  return { madeFrom, text: Buffer.from(listed.map((one) => jsonOf(registration, one)).join()) }
}

function jsonOf({ realm, site, me, clientGravatar }: Registration, { user, isKnown }: Listed): string {
  if (!isKnown) return JSON.stringify(unknownUserView(realm, site, user))
  const format = { viewer: me, clientGravatar, includeProfile: true }
  const { is_active: _, ...view } = userView(realm, site, user, format)
  return JSON.stringify(view)
}
