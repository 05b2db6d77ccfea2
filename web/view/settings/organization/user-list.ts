import { plain } from '../../../lib/fuzzy.ts'
import { derived, field } from '../../../store/server-state.ts'
import type { User } from '../../../store/server-state-types.ts'

/** A user of a table, with the texts by which the search finds them. */
export type UserRow = { user: User; text: string; seen: number }

/** Makes rows of users. A user of whom nothing has changed keeps the row, and with it what was prepared for it. */
function rowMaker(isBot: boolean) {
  let known = new Map<number, UserRow>()
  return (users: readonly User[]): UserRow[] => {
    const presences = field('presences') ?? {}
    const rows = users
      .filter((user) => user.is_bot === isBot)
      .map((user) => {
        const presence = presences[user.user_id]
        const seen = presence ? Math.max(presence.active_timestamp, presence.idle_timestamp) : 0
        const before = known.get(user.user_id)
        return before?.seen === seen && isSame(before.user, user) ? before : rowOf(user, seen)
      })
    known = new Map(rows.map((row) => [row.user.user_id, row]))
    return rows
  }
}

function rowOf(user: User, seen: number): UserRow {
  // Events change users in place, so the row has one of its own.
  return { user: { ...user }, text: plain(`${user.full_name} ${user.delivery_email ?? user.email}`), seen }
}

function isSame(one: User, other: User) {
  const names = Object.keys(other) as (keyof User)[]
  return names.length === Object.keys(one).length && names.every((name) => one[name] === other[name])
}

const rowsOf = {
  people: rowMaker(false),
  gonePeople: rowMaker(false),
  bots: rowMaker(true),
  goneBots: rowMaker(true),
}

export const people = derived(() => rowsOf.people(field('realm_users') ?? []))
export const gonePeople = derived(() => rowsOf.gonePeople(field('realm_non_active_users') ?? []))
export const bots = derived(() => rowsOf.bots(field('realm_users') ?? []))
export const goneBots = derived(() => rowsOf.goneBots(field('realm_non_active_users') ?? []))

export const byName = (a: UserRow, b: UserRow) => (a.text < b.text ? -1 : a.text > b.text ? 1 : 0)
export const byRole = (a: UserRow, b: UserRow) => a.user.role - b.user.role || byName(a, b)
/** The last to be seen first. */
export const bySeen = (a: UserRow, b: UserRow) => b.seen - a.seen || byName(a, b)
