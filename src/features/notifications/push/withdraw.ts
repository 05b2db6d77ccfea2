import { sql } from 'kysely'
import type { Adapters } from '../../../adapters/adapters.ts'
import { chunksOf } from '../../../lib/collections/chunks-of.ts'
import { groupBy } from '../../../lib/collections/group-by.ts'
import type { Change } from '../../../log/change.ts'
import { isAnyOf } from '../../../narrow/sql.ts'
import { mayRead } from '../../kernel/messages/access.ts'
import { reachableDevices } from '../../kernel/push/devices.ts'
import { notifiableMessages, policiesOf } from '../kernel/missed-messages/record-missed-messages.ts'
import { pushSettingNames, usersToNotify } from '../kernel/missed-messages/users-to-notify.ts'
import { pushLimits } from './limits.ts'
import { queueNotifications } from './outbox.ts'

type Shown = { user_id: number; message_id: number }

/** Removes notifications of messages that the users have read from their devices. */
export async function withdrawRead(change: Change, adapters: Adapters, userIds: number[]) {
  if (userIds.length === 0) return
  const read = await change.run(sql`
    DELETE FROM push_shown p WHERE p.realm_id = ${change.state.id} AND p.user_id = ANY(${userIds}::integer[])
      AND EXISTS (
        SELECT FROM message m JOIN read_state s
          ON s.realm_id = m.realm_id AND s.user_id = p.user_id AND s.recipient_id = m.recipient_id
        WHERE m.realm_id = p.realm_id AND m.id = p.message_id AND s.read @> m.id)
    RETURNING p.user_id, p.message_id`)
  await withdraw(change, adapters, read as Shown[])
}

/** Removes notifications of messages that no longer exist or are no longer visible to some users. */
export async function withdrawInvisible(change: Change, adapters: Adapters, messageIds: number[]) {
  if (messageIds.length === 0) return
  const { state } = change
  const shown = await change.run(sql<Shown & { recipient_id: number | null }>`
    SELECT p.user_id, p.message_id, m.recipient_id FROM push_shown p
    LEFT JOIN message m ON m.realm_id = p.realm_id AND m.id = p.message_id
    WHERE p.realm_id = ${state.id} AND p.message_id = ANY(${messageIds}::bigint[])`)
  const gone = shown.filter(({ user_id, message_id: id, recipient_id }) => {
    return recipient_id === null || !mayRead(state, state.users.require(user_id), { id, recipient_id })
  })
  await change.run(sql`
    DELETE FROM push_shown p USING json_to_recordset(${JSON.stringify(gone)}::json) AS x(user_id integer, message_id bigint)
    WHERE p.realm_id = ${state.id} AND p.user_id = x.user_id AND p.message_id = x.message_id`)
  await withdraw(change, adapters, gone)
}

/**
 * Removes notifications of messages that an edit has made call fewer users, of those users for whom there is no other reason: they
 * may want all of the channel or topic.
 */
export async function withdrawUncalled(change: Change, adapters: Adapters, messageIds: number[]) {
  if (messageIds.length === 0) return
  const { state } = change
  const read = { rows: change.run.bind(change) }
  const messages = await notifiableMessages(read, state, isAnyOf(sql`m.id`, messageIds, 'bigint'))
  const policies = await policiesOf(read, state, messages)
  for (const message of messages) {
    const wanting = usersToNotify(state, message, policies, pushSettingNames, () => true)
    const uncalled = await change.run(sql<Shown>`
      DELETE FROM push_shown WHERE realm_id = ${state.id} AND message_id = ${message.id}
        AND user_id <> ALL(${wanting.map(({ userId }) => userId)}::integer[]) RETURNING user_id, message_id`)
    await withdraw(change, adapters, uncalled)
  }
}

/**
 * Removes notifications. A notification that is still queued is deleted, and its removal is sent as well, because it
 * may be on its way.
 */
async function withdraw(change: Change, adapters: Adapters, shown: Shown[]) {
  if (shown.length === 0) return
  const { state } = change
  await change.run(sql`
    DELETE FROM push_notification n USING push_device d,
      json_to_recordset(${JSON.stringify(shown)}::json) AS x(user_id integer, message_id bigint)
    WHERE n.realm_id = ${state.id} AND n.kind = 'message' AND (n.message_ids->>0)::bigint = x.message_id
      AND d.realm_id = n.realm_id AND d.id = n.device_id AND d.user_id = x.user_id`)
  const notifications = [...groupBy(shown, ({ user_id }) => user_id)].flatMap(([userId, rows]) => {
    const ids = rows.map((row) => row.message_id).sort((a, b) => a - b)
    return reachableDevices(state, userId, adapters).flatMap((device) =>
      chunksOf(ids, pushLimits.pushRemovedPerMessage).map((messageIds) => ({
        device,
        kind: 'remove' as const,
        messageIds,
      })),
    )
  })
  await queueNotifications(change, notifications)
}
