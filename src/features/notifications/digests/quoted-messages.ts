import { sql } from 'kysely'
import type { Reader } from '../../../db/database.ts'
import type { MessageRow } from '../../../db/schema.ts'
import type { Change } from '../../../log/change.ts'
import type { RealmState } from '../../../log/realm-state.ts'
import { plainText } from '../kernel/plain-text/plain-text.ts'
import type { BusyTopic } from './busy-topics.ts'
import { digestLimits } from './limits.ts'

/** A message as a digest quotes it. */
export type QuotedMessage = Pick<MessageRow, 'id' | 'recipient_id' | 'sender_id' | 'topic'> & {
  text: string
  version: number
}

/** Returns the first messages of these topics, by id. */
export async function quotedMessages(read: Reader, realm: RealmState, topics: BusyTopic[]) {
  const ids = [...new Set(topics.flatMap(({ first }) => first))]
  const rows = await read.rows<Omit<QuotedMessage, 'text'> & Pick<MessageRow, 'rendered_content'>>(sql`
    SELECT id, recipient_id, sender_id, topic, rendered_content, hashtext(content) AS version FROM message
    WHERE realm_id = ${realm.id} AND id = ANY(${ids}::bigint[])`)
  const quoted = rows.map(({ rendered_content, ...row }): QuotedMessage => {
    return { ...row, text: plainText(rendered_content, digestLimits.digestMessageLength) }
  })
  return new Map(quoted.map((message) => [message.id, message]))
}

/** Returns the messages that have been neither moved nor edited since. */
export async function unchangedMessages(change: Change, quoted: Map<number, QuotedMessage>) {
  const all = [...quoted.values()].map(({ id, recipient_id, topic, version }) => {
    return { id, recipient_id, topic, version }
  })
  const rows = await change.run(sql<{ id: number }>`
    SELECT m.id FROM json_to_recordset(${JSON.stringify(all)}::json)
      AS q(id bigint, recipient_id integer, topic text, version integer)
    JOIN message m ON m.realm_id = ${change.state.id} AND m.id = q.id AND m.recipient_id = q.recipient_id
      AND m.topic = q.topic AND hashtext(m.content) = q.version`)
  const kept = new Set(rows.map(({ id }) => id))
  return new Map([...quoted].filter(([id]) => kept.has(id)))
}
