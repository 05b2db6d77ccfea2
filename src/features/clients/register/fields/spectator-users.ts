import type { AccountRow } from '../../../../db/schema.ts'
import { fragmentsOf } from '../../../../http/responses/fragment-cache.ts'
import { mapInSlices } from '../../../../lib/async/time-slice.ts'
import { groupBy } from '../../../../lib/collections/group-by.ts'
import type { Chunk } from '../../../../lib/gzip/gzip-chunks.ts'
import { derived } from '../../../../log/derived.ts'
import { canSeeAllUsers } from '../../../kernel/users/user-visibility.ts'
import { personLimits } from '../../../people/kernel/users/limits.ts'
import { spectatorsView } from '../../../people/users/spectators-view.ts'
import { JsonChunks, type Registration } from '../section.ts'

/** Makes the pages of users that are not there yet, in short slices of the event loop's time: anyone may ask for them. */
export async function prepareSpectatorUsers(registration: Registration) {
  for (const active of [true, false]) {
    if (listsOf(registration).has(active)) continue
    await mapInSlices(byPage(registration, active), ([page, users]) =>
      pageFor(registration, `${active} ${page}`, users),
    )
  }
}

/** Returns the active users, or the others, as spectators see them. They share pages, which are kept compressed. */
export function spectatorUsers(registration: Registration, active: boolean): JsonChunks {
  const lists = listsOf(registration)
  const pages =
    lists.get(active) ??
    Array.from(byPage(registration, active), ([page, users]) =>
      pageFor(registration, `${active} ${page}`, users),
    )
  lists.set(active, pages)
  return new JsonChunks(['[', ...pages.flatMap((page, i): Chunk[] => (i === 0 ? [page] : [',', page])), ']'])
}

/** Whole lists, by whether their users are active: valid until a row changes that they are made of. */
const lists = derived(
  ({ realms, users, groups, groupSubgroups }) =>
    [realms, users, groups, groupSubgroups].map((table) => table.version).join(),
  () => new Map<boolean, Chunk[]>(),
)

const listsOf = ({ realm }: Registration) => lists(realm)

function byPage({ realm }: Registration, active: boolean): Map<number, AccountRow[]> {
  const users = [...realm.users.values()].filter((user) => !user.is_system_bot && user.is_active === active)
  return groupBy(users, ({ id }) => Math.floor(id / personLimits.userIdsPerPage))
}

function pageFor({ realm, site, me }: Registration, name: string, users: AccountRow[]): Chunk {
  const madeFrom = [realm.row, canSeeAllUsers(realm, me), ...users]
  return fragmentsOf(realm).get(`spectators ${name}`, madeFrom, () =>
    users.map((user) => JSON.stringify(spectatorsView(realm, site, user))).join(),
  )
}
