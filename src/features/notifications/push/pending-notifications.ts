import { type RawBuilder, sql } from 'kysely'
import type { AccountRow, MessageRow, PushDeviceRow, PushNotificationRow } from '../../../db/schema.ts'
import type { JobContext } from '../../../jobs/job.ts'
import { mayRead } from '../../kernel/messages/access.ts'
import { isLoggedOut } from '../../kernel/push/devices.ts'
import { pushLimits } from './limits.ts'

/** The fields of a message that a notification uses. */
export type NotifiedMessage = Pick<
  MessageRow,
  'id' | 'recipient_id' | 'sender_id' | 'topic' | 'rendered_content' | 'sent_at'
>

/** A notification with its data. `message` exists if the notification is about a message. */
export type Pending = {
  row: PushNotificationRow
  device: PushDeviceRow
  user: AccountRow
  message: NotifiedMessage | undefined
}

type Found = {
  row: PushNotificationRow
  device: PushDeviceRow
  message: NotifiedMessage | null
  is_read: boolean
}

/**
 * Returns the oldest notifications for devices (d) that match a condition, and the ids of obsolete ones: their message
 * has been read or deleted, they are too old, or the session of the device has ended.
 */
export async function pendingFor(context: JobContext, mine: RawBuilder<boolean>, count: number) {
  const { log, read, site } = context
  await log.catchUp()
  const found = await read.rows<Found>(sql`
    SELECT to_json(n) AS row, to_json(d) AS device, coalesce(s.read @> m.id, false) AS is_read,
      CASE WHEN m.id IS NOT NULL THEN json_build_object('id', m.id, 'recipient_id', m.recipient_id,
        'sender_id', m.sender_id, 'topic', m.topic, 'rendered_content', m.rendered_content, 'sent_at', m.sent_at) END AS message
    FROM push_notification n
    JOIN push_device d ON d.realm_id = n.realm_id AND d.id = n.device_id
    LEFT JOIN message m
      ON n.kind = 'message' AND m.realm_id = n.realm_id AND m.id = (n.message_ids->>0)::bigint
    LEFT JOIN read_state s
      ON s.realm_id = n.realm_id AND s.user_id = d.user_id AND s.recipient_id = m.recipient_id
    WHERE n.realm_id = ${log.state.id} AND ${mine} ORDER BY n.id LIMIT ${count}`)
  const since = site.clock() - pushLimits.pushKeptSeconds
  const due: Pending[] = []
  const stale: number[] = []
  for (const { row, device, message, is_read } of found) {
    const user = log.state.users.get(device.user_id)
    const isOver =
      row.created_at < since ||
      device.state !== 'active' ||
      !user?.is_active ||
      isLoggedOut(log.state, device, site.clock())
    const isGone =
      row.kind === 'message' && (!message || is_read || !user || !mayRead(log.state, user, message))
    if (isOver || isGone) stale.push(row.id)
    else due.push({ row, device, user, message: message ?? undefined })
  }
  return { due, stale }
}
