import { sql } from 'kysely'
import { isRecent } from '../../../../db/recently.ts'
import { tooManyRequests } from '../../../../lib/api-error.ts'
import type { Change } from '../../../../log/change.ts'
import { invitationLimits } from './limits.ts'

/** The number of mails to one address within a number of seconds. */
type Allowance = { most: number; seconds: number }

/** The first invitation and its repetitions. */
export const invitationsToOne: Allowance = { most: 1 + invitationLimits.resendsPerDay, seconds: 86_400 }

/**
 * Throws 429 if one of these addresses recently received the maximum number of mails of a kind, from all nodes
 * together. This keeps callers from flooding addresses with mail.
 */
export async function checkMailedLately(
  change: Change,
  { kind, to }: { kind: string; to: string[] },
  { most, seconds }: Allowance,
) {
  const addresses = to.map((address) => address.toLowerCase())
  const [full] = await change.run<{ since: number }>(sql`
    SELECT (array_agg(created_at ORDER BY created_at DESC))[${most}::integer] AS since FROM mail
    WHERE realm_id = ${change.state.id} AND ${isRecent('created_at', change.now, seconds)} AND kind = ${kind}
      AND lower(recipient) = ANY(${addresses}::text[])
    GROUP BY lower(recipient) HAVING count(*) >= ${most} ORDER BY since DESC LIMIT 1`)
  if (full) throw tooManyRequests(Number(full.since) + seconds - change.now)
}
