import type { AccountRow } from '../../../../db/schema.ts'
import { mapInSlices } from '../../../../lib/async/time-slice.ts'
import { chunksOf } from '../../../../lib/collections/chunks-of.ts'
import { hasSameItems } from '../../../../lib/collections/has-same-items.ts'
import { memoizePer } from '../../../../lib/collections/memoize-per.ts'
import type { Chunk } from '../../../../lib/gzip/gzip-chunks.ts'
import { unknownUserView, userView } from '../../../kernel/users/user-view.ts'
import { visibleUsersFilter, visibleUsersInSlices } from '../../../kernel/users/user-visibility.ts'
import { personLimits } from '../../../people/kernel/users/limits.ts'
import { JsonChunks, type Registration } from '../section.ts'

/** A user who is listed, and whether the viewer may see them. */
type Listed = { user: AccountRow; isKnown: boolean }

/** The JSON of some users, and what it was made from. */
type Page = { madeFrom: unknown[]; text: Buffer }

/** The active users, and the others. */
type Both<T> = { active: T; others: T }

/** The pages of a request, by the first id of the page, and the versions of what they were made from. */
type Pages = { from: string } & Both<Map<number, Page>>

const pagesOf = memoizePer<object, Pages>(() => ({ from: '', active: new Map(), others: new Map() }))

/** Makes the users for a viewer who may not see all users into JSON, in short slices of the event loop's time. */
export async function prepareLimitedUsers(registration: Registration) {
  const { realm, me, request } = registration
  const pages = pagesOf(request)
  pages.from = versionsFor(registration)
  const isKnown = await visibleUsersInSlices(realm, me)
  const lists = emptyLists()
  await mapInSlices(chunksOf([...realm.users.values()], personLimits.usersPerStep), (users) =>
    addTo(lists, registration, users, isKnown),
  )
  for (const name of ['active', 'others'] as const) {
    pages[name].clear()
    await mapInSlices(lists[name], ([first, listed]) => {
      pages[name].set(first, pageOf(registration, listed, undefined))
    })
  }
}

/**
 * Returns the active users, or the others, for a viewer who may not see all users. A client with user_list_incomplete does not
 * receive users whom the viewer may not see; other clients receive a stand-in without a name. Prepared pages are used where all
 * that they were made from is as it was.
 */
export function limitedUsers(registration: Registration, active: boolean): JsonChunks {
  const pages = pagesOf(registration.request)
  if (pages.from !== versionsFor(registration)) renew(pages, registration)
  const made = [...(active ? pages.active : pages.others).values()]
  return new JsonChunks([
    '[',
    ...made.flatMap(({ text }, i): Chunk[] => (i === 0 ? [text] : [',', text])),
    ']',
  ])
}

function renew(pages: Pages, registration: Registration) {
  const { realm, me } = registration
  const lists = emptyLists()
  addTo(lists, registration, realm.users.values(), visibleUsersFilter(realm, me))
  for (const name of ['active', 'others'] as const) {
    const before = pages[name]
    pages[name] = new Map(
      Array.from(lists[name], ([first, listed]) => [first, pageOf(registration, listed, before.get(first))]),
    )
  }
  pages.from = versionsFor(registration)
}

/** Changes whenever a list of users for a limited viewer may change. */
function versionsFor({ realm, me }: Registration): string {
  const { realms, users, profiles, profileFields, subscriptions, recipients } = realm
  const tables = [realms, users, profiles, profileFields, subscriptions, recipients]
  return `${me.id} ${tables.map(({ version }) => version).join()}`
}

/** The listed users, by the first id of their page. */
type Lists = Both<Map<number, Listed[]>>

const emptyLists = (): Lists => ({ active: new Map(), others: new Map() })

function addTo(
  lists: Lists,
  { capabilities }: Registration,
  users: Iterable<AccountRow>,
  isKnownTo: (user: AccountRow) => boolean,
) {
  for (const user of users) {
    if (user.is_system_bot) continue
    const isKnown = isKnownTo(user)
    // The active state of a hidden user is not revealed either.
    if (!isKnown && capabilities.user_list_incomplete) continue
    const list = user.is_active || !isKnown ? lists.active : lists.others
    const first = user.id - (user.id % personLimits.userIdsPerPage)
    const page = list.get(first)
    if (page) page.push({ user, isKnown })
    else list.set(first, [{ user, isKnown }])
  }
}

function pageOf(registration: Registration, listed: Listed[], before: Page | undefined): Page {
  const { realm, me } = registration
  const rows = listed.flatMap(({ user, isKnown }) => [user, isKnown, realm.profiles.get(user.id)])
  const madeFrom = [realm.row, realm.profileFields.version, me, ...rows]
  if (before && hasSameItems(before.madeFrom, madeFrom)) return before
  return { madeFrom, text: Buffer.from(listed.map((one) => jsonOf(registration, one)).join()) }
}

function jsonOf({ realm, site, me, clientGravatar }: Registration, { user, isKnown }: Listed): string {
  if (!isKnown) return JSON.stringify(unknownUserView(realm, site, user))
  const format = { viewer: me, clientGravatar, includeProfile: true }
  const { is_active: _, ...view } = userView(realm, site, user, format)
  return JSON.stringify(view)
}
