import type { AccountRow } from '../../../db/schema.ts'
import { isAdministrator } from '../../../http/access.ts'
import { badRequest } from '../../../lib/api-error.ts'
import type { RealmState } from '../../../log/realm-state.ts'

/** Something that people make. Without a creator, the server has made it. */
type Made = { creator_id: number | null; created_at: number | null }

/** `what`: its plural. `most`: how many of them a user makes in a day. `more`: how many the user is about to make. */
type DailyLimit = { what: string; most: number; more: number; now: number }

const day = 86_400

/**
 * Throws if a user makes more of something in a day than people do. Everything made stays, and all registrations list it: one user
 * could make them too large for everyone. Administrators may make any number. The bots of a user count as the user.
 */
export function checkMadeToday(
  realm: RealmState,
  me: AccountRow,
  all: Iterable<Made>,
  { what, most, more, now }: DailyLimit,
) {
  if (isAdministrator(me)) return
  const personOf = (id: number) => realm.users.get(id)?.bot_owner_id ?? id
  const maker = personOf(me.id)
  let count = more
  for (const { creator_id, created_at } of all) {
    if (creator_id !== null && (created_at ?? 0) > now - day && personOf(creator_id) === maker) count += 1
  }
  if (count > most) throw badRequest(`Too many new ${what} in a day (maximum ${most}).`)
}
