import { type RawBuilder, sql } from 'kysely'
import type { SubmessageRow } from '../../../db/schema.ts'

/** A submessage as messages show it. */
export type Submessage = Pick<SubmessageRow, 'id' | 'message_id' | 'sender_id' | 'msg_type' | 'content'>

/** Returns the submessage that is sent with a message and makes it a widget. Its id follows from the message's id. */
export function widgetSubmessage(messageId: number, senderId: number, content: string): Submessage {
  return { id: 2 * messageId, message_id: messageId, sender_id: senderId, msg_type: 'widget', content }
}

const asJson = sql`json_build_object('id', w.id, 'message_id', w.message_id, 'sender_id', w.sender_id,
  'msg_type', w.msg_type, 'content', w.content)`

/**
 * Returns the submessages of messages with ids, the widget itself first: pairs [message id, Submessage], as one JSON
 * value.
 */
export function submessagePairs(realmId: number, ids: RawBuilder<unknown>) {
  return sql`
    SELECT json_agg(json_build_array(w.message_id, ${asJson}) ORDER BY w.is_widget DESC, w.id)
    FROM submessage w WHERE w.realm_id = ${realmId} AND w.message_id = ANY(${ids})`
}

/** Selects only the widget itself: what a message had when it was sent. */
export const originalWidgetSql = sql<Submessage[] | null>`(
  SELECT json_agg(${asJson})
  FROM submessage w WHERE w.realm_id = m.realm_id AND w.message_id = m.id AND w.is_widget)`
