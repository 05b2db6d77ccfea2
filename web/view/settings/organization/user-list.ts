import { plain } from '../../../lib/fuzzy.ts'
import { derived, field } from '../../../store/server-state.ts'
import type { User } from '../../../store/server-state-types.ts'

/** A user of a table, with the texts by which the search finds them. */
export type UserRow = { user: User; text: string; seen: number }

function rowsOf(users: readonly User[], isBot: boolean): UserRow[] {
  const presences = field('presences') ?? {}
  return users
    .filter((user) => user.is_bot === isBot)
    .map((user) => {
      const presence = presences[user.user_id]
      return {
        user: { ...user },
        text: plain(`${user.full_name} ${user.delivery_email ?? user.email}`),
        seen: presence ? Math.max(presence.active_timestamp, presence.idle_timestamp) : 0,
      }
    })
}

export const people = derived(() => rowsOf(field('realm_users') ?? [], false))
export const gonePeople = derived(() => rowsOf(field('realm_non_active_users') ?? [], false))
export const bots = derived(() => rowsOf(field('realm_users') ?? [], true))
export const goneBots = derived(() => rowsOf(field('realm_non_active_users') ?? [], true))

export const byName = (a: UserRow, b: UserRow) => (a.text < b.text ? -1 : a.text > b.text ? 1 : 0)
export const byRole = (a: UserRow, b: UserRow) => a.user.role - b.user.role || byName(a, b)
/** The last to be seen first. */
export const bySeen = (a: UserRow, b: UserRow) => b.seen - a.seen || byName(a, b)
