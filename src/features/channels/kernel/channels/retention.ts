import { z } from 'zod'
import type { AccountRow } from '../../../../db/schema.ts'
import { requireAdministrator } from '../../../../http/access.ts'
import { json, jsonOrWord } from '../../../../http/params.ts'
import type { RealmState } from '../../../../log/realm-state.ts'
import { checkedTimeLimit } from '../../../organization/settings/time-limit.ts'

const schema = z.union([z.int(), z.string()])

/** For how long messages are kept: days, `unlimited`, or `realm_default`; the words with quotes or without. */
export const retentionParam = () => jsonOrWord(schema, ['unlimited', 'realm_default'])

/** The same for a new channel, where the reference server refuses words without quotes. */
export const newRetentionParam = () => json(schema)

/** The same as it is stored: null for the organization's default, -1 for ever. Only administrators may choose another. */
export function retentionDays(
  realm: RealmState,
  me: AccountRow,
  sent: string | number | undefined,
): number | null {
  if (sent === undefined || sent === 'realm_default') return null
  requireAdministrator(realm, me)
  return checkedTimeLimit('message_retention_days', sent, -1)
}
