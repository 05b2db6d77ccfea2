import { z } from 'zod'
import type { AccountRow } from '../../db/schema.ts'
import { owner } from '../../http/access.ts'
import { json } from '../../http/params.ts'
import type { RealmState } from '../../log/realm-state.ts'
import { checkedTimeLimit } from '../realm/time-limit.ts'

/** For how long messages are kept: days, `unlimited`, or `realm_default`. */
export const retentionParam = () => json(z.union([z.string(), z.int()]))

/** The same as it is stored: null for the organization's default, -1 for ever. Only owners may choose another. */
export function retentionDays(
  realm: RealmState,
  me: AccountRow,
  sent: string | number | undefined,
): number | null {
  if (sent === undefined || sent === 'realm_default') return null
  const days = checkedTimeLimit('message_retention_days', sent, -1)
  owner(realm, me)
  return days
}
