import type { AccountRow } from '../../db/schema.ts'
import { messageToReadNow } from '../../features/kernel/messages/access.ts'
import { markdownLookup, noticeLookup } from '../../features/kernel/messages/markdown-lookup.ts'
import { messageText } from '../../features/kernel/messages/message-text.ts'
import { scheduledJobKind } from '../../features/messages/kernel/scheduled/scheduled.ts'
import { reminderLimits } from '../../features/messages/reminders/limits.ts'
import { reminderText } from '../../features/messages/reminders/reminder-text.ts'
import { reminderJobKind } from '../../features/messages/reminders/reminders.ts'
import { scheduledLimits } from '../../features/messages/scheduled/limits.ts'
import { scheduleJob } from '../../jobs/job.ts'
import { ApiError } from '../../lib/api-error.ts'
import { groupBy } from '../../lib/collections/group-by.ts'
import { render } from '../../markdown/render.ts'
import { topicFrom } from '../names.ts'
import type { ImportContext } from './import-context.ts'
import { unlessRefused } from './valid.ts'
import type { ZulipRow } from './zulip-tables.ts'

type Context = Pick<ImportContext, 'change' | 'source' | 'url' | 'people' | 'places' | 'uploads'>
type Scheduled = ZulipRow<'zerver_scheduledmessage'>

const deliveryTypes = { sendLater: 1, remind: 2 }

/** Adds the messages that are still to be sent, and reminders. Those that are due already are left out. */
export async function addScheduledMessages(context: Context) {
  const { change, source, people } = context
  const waiting = source.rows('zerver_scheduledmessage').filter(({ delivered }) => !delivered)
  for (const [id, rows] of groupBy(waiting, ({ sender }) => sender)) {
    const sender = people.user(id)
    const isLater = (row: Scheduled) => !row.failed && row.scheduled_timestamp > change.now
    const later = sender ? rows.filter(isLater) : []
    const ofType = (type: number) => later.filter((row) => row.delivery_type === type)
    const messages = ofType(deliveryTypes.sendLater).slice(0, scheduledLimits.scheduledMessagesPerUser)
    const reminders = ofType(deliveryTypes.remind).slice(0, reminderLimits.remindersPerUser)
    let count = 0
    for (const row of messages) if (sender && (await addMessage(context, row, sender))) count += 1
    for (const row of reminders) if (sender && (await addReminder(context, row, sender))) count += 1
    source.leftOut.add('ownTexts', rows.length - count)
  }
}

async function addMessage({ change, places, url, uploads }: Context, row: Scheduled, sender: AccountRow) {
  const channel = places.channel(row.recipient)
  const participants = channel ? undefined : places.participants(row.recipient, sender)
  const content = unlessRefused(() => messageText(uploads.relinked(row.content)))
  if (content === undefined || (!channel && !participants)) return false
  const others = participants?.filter((id) => id !== sender.id) ?? []
  const { id, deliver_at } = await change.insert('scheduled_message', {
    sender_id: sender.id,
    channel_id: channel?.id ?? null,
    user_ids: channel ? null : others.length > 0 ? others : [sender.id],
    topic: channel ? topicFrom(row.subject) : '',
    content,
    rendered_content: render(content, markdownLookup(change.state, url, sender)).html,
    client: 'Zulip',
    read_by_sender: true,
    deliver_at: row.scheduled_timestamp,
  })
  await scheduleJob(change, scheduledJobKind, id, deliver_at)
  return true
}

/** A reminder quotes its message, which the user must still be able to read. */
async function addReminder({ change, url }: Context, row: Scheduled, user: AccountRow) {
  const { reminder_target_message_id: message_id, scheduled_timestamp: deliver_at } = row
  if (message_id === null) return false
  const message = await messageToReadNow(change, user, message_id).catch(unlessGone)
  if (!message) return false
  const content = reminderText(change.state, url, user, message)
  const rendered_content = render(content, noticeLookup(change.state, url, user)).html
  const reminder = { user_id: user.id, message_id, content, rendered_content, deliver_at }
  const { id } = await change.insert('reminder', reminder)
  await scheduleJob(change, reminderJobKind, id, deliver_at)
  return true
}

function unlessGone(error: unknown): undefined {
  if (!(error instanceof ApiError)) throw error
}
