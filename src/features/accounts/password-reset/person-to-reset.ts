import type { Adapters } from '../../../adapters/adapters.ts'
import type { AccountRow } from '../../../db/schema.ts'
import type { RealmState } from '../../../log/realm-state.ts'
import { isEnabled } from '../../kernel/login/methods.ts'

/** Returns the active human user who has an address and may log in with a password. */
export function personToReset(realm: RealmState, adapters: Adapters, email: string): AccountRow | undefined {
  if (realm.row.is_deactivated || !isEnabled(realm, adapters, 'Email')) return undefined
  const user = realm.userByEmail(email.toLowerCase())
  return user?.is_active && user.bot_type === null ? user : undefined
}
