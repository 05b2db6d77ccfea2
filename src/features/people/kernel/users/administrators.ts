import { isAdministrator } from '../../../../http/access.ts'
import type { RealmState } from '../../../../log/realm-state.ts'

/** Returns the users who administer the organization. */
export function administratorIds(realm: RealmState): number[] {
  const users = [...realm.users.values()].filter((user) => user.is_active && user.bot_type === null)
  return users.filter(isAdministrator).map((user) => user.id)
}
