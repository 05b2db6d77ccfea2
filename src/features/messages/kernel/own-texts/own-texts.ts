import { type RawBuilder, sql } from 'kysely'
import { badRequest } from '../../../../lib/api-error.ts'
import { firstIn } from '../../../../lib/must.ts'
import type { Change } from '../../../../log/change.ts'
import { ownTextLimits } from './limits.ts'

/**
 * The kinds of texts that a user keeps: the table, its column for the user, and its columns with texts. PostgreSQL
 * knows the size of a text without decompressing it.
 */
const kinds = {
  drafts: sql`octet_length(content) AS bytes FROM draft WHERE user_id`,
  'saved snippets': sql`octet_length(content) AS bytes FROM saved_snippet WHERE user_id`,
  'scheduled messages': sql`
    octet_length(content) + octet_length(rendered_content) AS bytes FROM scheduled_message WHERE sender_id`,
  reminders: sql`octet_length(content) + octet_length(rendered_content) AS bytes FROM reminder WHERE user_id`,
} satisfies Record<string, RawBuilder<unknown>>

/**
 * Throws if a user keeps more texts of a kind than `most`, or longer ones together than a list can return. To be called after the
 * texts were written, in the same change.
 */
export async function checkOwnTexts(change: Change, userId: number, kind: keyof typeof kinds, most: number) {
  const { count, bytes } = firstIn(
    await change.run<{ count: number; bytes: number }>(sql`
    SELECT count(*)::integer AS count, coalesce(sum(bytes), 0)::bigint AS bytes
    FROM (SELECT ${kinds[kind]} = ${userId} AND realm_id = ${change.state.id}) AS own`),
  )
  if (count > most) throw badRequest(`Too many ${kind}.`)
  const mib = ownTextLimits.ownTextsMib
  if (bytes > mib * 2 ** 20) throw badRequest(`Too many long ${kind} (limit: ${mib} MiB together)`)
}
