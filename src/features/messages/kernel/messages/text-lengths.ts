import { type RawBuilder, sql } from 'kysely'
import type { Reader } from '../../../../db/database.ts'
import type { RealmState } from '../../../../log/realm-state.ts'
import type { PageContent } from '../../../kernel/messages/page-rows.ts'

/** Bytes that a reaction takes in a response. */
const bytesOfReaction = 150
/** Bytes that a submessage takes besides its content. */
const bytesOfSubmessage = 120

/**
 * Returns how many bytes a `message m` takes in a response, with its earlier versions and what others have added, as SQL. PostgreSQL
 * knows the length of a text without reading it.
 */
export function responseBytesOf(content: PageContent): RawBuilder<number> {
  const ofMessage = sql`realm_id = m.realm_id AND message_id = m.id`
  return sql`octet_length(m.${sql.ref(content)}) + coalesce(octet_length(m.edit_history::text), 0)
    + ${bytesOfReaction} * (SELECT count(*) FROM reaction WHERE ${ofMessage})
    + (SELECT coalesce(sum(octet_length(content) + ${bytesOfSubmessage}), 0) FROM submessage WHERE ${ofMessage})`
}

/** Returns how many bytes the messages with these ids take together. */
export async function responseBytesOfAll(
  read: Reader,
  realm: RealmState,
  content: PageContent,
  ids: number[],
): Promise<number> {
  const [measured] = await read.rows<{ bytes: number }>(sql`
    SELECT coalesce(sum(${responseBytesOf(content)}), 0)::bigint AS bytes FROM message m
    WHERE m.realm_id = ${realm.id} AND m.id = ANY(${ids}::bigint[])`)
  return measured?.bytes ?? 0
}
