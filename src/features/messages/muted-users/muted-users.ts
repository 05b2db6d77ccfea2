import type { MutedUserRow } from '../../../db/schema.ts'
import type { RealmState } from '../../../log/realm-state.ts'

/** A muted user and the time of muting (UNIX seconds). */
export type MutedUser = { id: number; timestamp: number }

export function hasMuted(realm: RealmState, userId: number, mutedId: number): boolean {
  return realm.mutedUsers.get(userId, mutedId) !== undefined
}

/** `muted_users` of POST /register. */
export function mutedUsers(realm: RealmState, userId: number): MutedUser[] {
  return mutedUsersView([...realm.mutedBy(userId)])
}

export function mutedUsersView(rows: MutedUserRow[]): MutedUser[] {
  return rows.map(({ muted_user_id, created_at }) => ({ id: muted_user_id, timestamp: created_at }))
}
