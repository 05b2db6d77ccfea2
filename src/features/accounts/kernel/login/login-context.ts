import type { AccountRow } from '../../../../db/schema.ts'
import type { CommandContext } from '../../../../http/endpoint.ts'
import { ApiError } from '../../../../lib/api-error.ts'
import type { RealmState } from '../../../../log/realm-state.ts'

/** The parts of a request context that a login needs. */
export type LoginContext = Pick<CommandContext, 'realm' | 'read' | 'commit' | 'site' | 'adapters' | 'request'>

/** Throws 401 if the organization is deactivated. */
export function checkRealmActive({ row }: RealmState) {
  if (row.is_deactivated) {
    throw new ApiError('This organization has been deactivated', 'REALM_DEACTIVATED', 401)
  }
}

/** Throws 401 for a deactivated account. */
export function checkUserActive(user: AccountRow | undefined): AccountRow {
  if (!user?.is_active) throw new ApiError('Account is deactivated', 'USER_DEACTIVATED', 401)
  return user
}
