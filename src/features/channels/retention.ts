import { z } from 'zod'
import type { AccountRow } from '../../db/schema.ts'
import { owner } from '../../http/access.ts'
import { json } from '../../http/params.ts'
import { ApiError } from '../../lib/api-error.ts'
import { limits } from '../../lib/limits.ts'
import type { RealmState } from '../../log/realm-state.ts'

/** For how long messages are kept: days, `unlimited`, or `realm_default`. */
export const retentionParam = () => json(z.union([z.string(), z.int()]))

/** The same as it is stored: null for the organization's default, -1 for ever. Only owners may choose another. */
export function retentionDays(
  realm: RealmState,
  me: AccountRow,
  sent: string | number | undefined,
): number | null {
  if (sent === undefined || sent === 'realm_default') return null
  if (sent !== 'unlimited' && !isDays(sent)) throw badValue(sent)
  owner(realm, me)
  return sent === 'unlimited' ? -1 : Number(sent)
}

function isDays(sent: string | number): boolean {
  return typeof sent === 'number' && sent > 0 && sent <= limits.longestTimeLimit
}

function badValue(sent: string | number) {
  const name = 'message_retention_days'
  return new ApiError(`Bad value for '${name}': ${sent}`, 'REQUEST_VARIABLE_INVALID', 400, {
    var_name: name,
    bad_value: sent,
  })
}
