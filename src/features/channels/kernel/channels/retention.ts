import { z } from 'zod'
import type { AccountRow } from '../../../../db/schema.ts'
import { requireAdministrator } from '../../../../http/access.ts'
import { json, jsonOrWord } from '../../../../http/params.ts'
import type { RealmState } from '../../../../log/realm-state.ts'
import { checkedTimeLimit, timeLimitSchema } from '../../../organization/settings/time-limit.ts'

const schema = z.union([z.int(), z.string()])
const words = ['unlimited', 'realm_default']
/** The schema of the values that `retentionDays` accepts; its errors have texts of their own. */
const documented = z.toJSONSchema(timeLimitSchema(words))

/**
 * The retention time of messages: days, `unlimited`, or `realm_default`. The words are accepted with or without quotes.
 */
export const retentionParam = () => jsonOrWord(schema, words).documentedAs(documented)

/** The retention time of a new channel. The reference server rejects its words without quotes. */
export const newRetentionParam = () => json(schema).documentedAs(documented)

/**
 * Returns the retention time as it is stored: null for the organization's default, -1 for unlimited. Throws if a user
 * other than an administrator chooses another value.
 */
export function retentionDays(
  realm: RealmState,
  me: AccountRow,
  sent: string | number | undefined,
): number | null {
  if (sent === undefined || sent === 'realm_default') return null
  requireAdministrator(realm, me)
  return checkedTimeLimit('message_retention_days', sent, -1)
}
