import { sql } from 'kysely'
import { z } from 'zod'
import type { AccountRow, ReminderRow } from '../../../db/schema.ts'
import { type Selection, selection } from '../../../db/selection.ts'
import { ApiError } from '../../../lib/api-error.ts'
import type { RealmState } from '../../../log/realm-state.ts'

/** The kind of the jobs that send reminders. */
export const reminderJobKind = 'reminder'

export const reminderSchema = z.strictObject({
  reminder_id: z.int(),
  type: z.literal('private'),
  to: z.array(z.int()),
  content: z.string(),
  rendered_content: z.string(),
  scheduled_delivery_timestamp: z.int(),
  failed: z.boolean(),
  reminder_target_message_id: z.int(),
})

export type ReminderView = z.infer<typeof reminderSchema>

export function reminderView(row: ReminderRow): ReminderView {
  return {
    reminder_id: row.id,
    type: 'private',
    to: [row.user_id],
    content: row.content,
    rendered_content: row.rendered_content,
    scheduled_delivery_timestamp: row.deliver_at,
    failed: row.failed,
    reminder_target_message_id: row.message_id,
  }
}

/** Selects the user's pending reminders, the next first. Also `reminders` of POST /register. */
export function remindersOf(realm: RealmState, me: AccountRow): Selection<ReminderView[]> {
  const all = sql<ReminderRow>`SELECT * FROM reminder
    WHERE realm_id = ${realm.id} AND user_id = ${me.id} ORDER BY deliver_at, id`
  return selection(all, (rows) => rows.map(reminderView))
}

export function noSuchReminder() {
  return new ApiError('Reminder does not exist', 'BAD_REQUEST', 404)
}
