import { sql } from 'kysely'
import { tooManyRequests } from '../../http/rate-limits.ts'
import type { Change } from '../../log/change.ts'

/**
 * Throws 429 if an address has been written so many mails of a kind in so many seconds, by whichever node: nobody makes
 * a server write again and again to people who have not asked for it.
 */
export async function checkMailedLately(
  change: Change,
  { kind, to }: { kind: string; to: string },
  { most, seconds }: { most: number; seconds: number },
) {
  const mails = await change.run<{ created_at: number }>(sql`
    SELECT created_at FROM mail
    WHERE realm_id = ${change.state.id} AND created_at > ${change.now - seconds} AND kind = ${kind}
      AND lower(recipient) = ${to.toLowerCase()}
    ORDER BY created_at`)
  if (mails.length >= most) throw tooManyRequests(mails.at(-most)!.created_at + seconds - change.now)
}
