import { type Accessor, createMemo } from 'solid-js'
import { plain } from '../../../lib/fuzzy.ts'
import { inOrder } from '../../../lib/in-order.ts'
import { currentState, field } from '../../../store/server-state.ts'
import type { User } from '../../../store/server-state-types.ts'

/** A user of a table, with the texts by which the search finds them. */
export type UserRow = { user: User; text: string }

/**
 * Returns the rows of the people or bots in a field of the state, for as long as the screen is shown. A user of whom
 * nothing has changed keeps the row, and with it what was prepared for the search.
 */
export function useUserRows(
  name: 'realm_users' | 'realm_non_active_users',
  isBot: boolean,
): Accessor<UserRow[]> {
  let known = new Map<number, UserRow>()
  const rows = createMemo(
    () => {
      const found = (field(name) ?? [])
        .filter((user) => user.is_bot === isBot)
        .map((user) => {
          const before = known.get(user.user_id)
          return before && isSame(before.user, user) ? before : rowOf(user)
        })
      known = new Map(found.map((row) => [row.user.user_id, row]))
      return found
    },
    undefined,
    {
      equals: (before, after) =>
        before?.length === after.length && before.every((row, at) => row === after[at]),
    },
  )
  return () => rows() ?? []
}

export const idOf = ({ user }: UserRow) => user.user_id

function rowOf(user: User): UserRow {
  // Events change users in place, so the row has one of its own.
  return { user: { ...user }, text: plain(`${user.full_name} ${user.delivery_email ?? user.email}`) }
}

function isSame(one: User, other: User) {
  const names = Object.keys(other) as (keyof User)[]
  return names.length === Object.keys(one).length && names.every((name) => one[name] === other[name])
}

function lastIn(presences: ReturnType<typeof currentState>['presences'] | undefined, { user }: UserRow) {
  const presence = presences?.[user.user_id]
  return presence ? Math.max(presence.active_timestamp, presence.idle_timestamp) : 0
}

/** When a user was there last, in seconds since 1970; 0 if that is not known. What shows it follows the events. */
export const seenAt = (row: UserRow) => lastIn(field('presences'), row)

export const byName = (a: UserRow, b: UserRow) => inOrder(a.text, b.text)
export const byRole = (a: UserRow, b: UserRow) => a.user.role - b.user.role || byName(a, b)

/** The last to be seen first. The rows stay where they are while people come and go. */
export function bySeen(a: UserRow, b: UserRow) {
  const { presences } = currentState()
  return lastIn(presences, b) - lastIn(presences, a) || byName(a, b)
}
