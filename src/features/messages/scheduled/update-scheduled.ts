import { sql } from 'kysely'
import type { ScheduledMessageRow } from '../../../db/schema.ts'
import { requireUser } from '../../../http/access.ts'
import { type CommandContext, command } from '../../../http/endpoint.ts'
import { integer, pathInteger } from '../../../http/params.ts'
import { scheduleJob } from '../../../jobs/job.ts'
import { badRequest } from '../../../lib/api-error.ts'
import { contentParam, topicParam } from '../../kernel/messages/message-text.ts'
import { checkOwnTexts } from '../kernel/own-texts/own-texts.ts'
import {
  addressOf,
  checkFuture,
  contentOf,
  noSuchScheduled,
  scheduledJobKind,
  scheduledToParam,
  scheduledView,
  typeParam,
} from '../kernel/scheduled/scheduled.ts'
import { scheduledLimits } from './limits.ts'
import { scheduledUpdated } from './scheduled_messages.event.ts'

const params = {
  scheduled_message_id: pathInteger(),
  type: typeParam.optional(),
  to: scheduledToParam().optional(),
  topic: topicParam().optional(),
  content: contentParam().optional(),
  scheduled_delivery_timestamp: integer().optional(),
}

type Context = CommandContext<typeof params>

/** Updates a scheduled message. A message that could not be sent is tried again at a new time. */
export const updateScheduled = command('PATCH /scheduled_messages/{scheduled_message_id}', {
  summary: 'Update a scheduled message',
  since: 184,
  access: requireUser,
  params,
  returns: {},
  async handle(context) {
    const { realm, me, params, read, commit } = context
    checkAsked(context)
    const find = sql<ScheduledMessageRow>`
      SELECT * FROM scheduled_message
      WHERE realm_id = ${realm.id} AND sender_id = ${me.id} AND id = ${params.scheduled_message_id}`
    const planned = plan(context, (await read.rows(find))[0]) // checks what it can before the change begins
    const text = await newText(context, planned)
    await commit(async (change) => {
      // By now it may have been sent, or changed by another request.
      const now = { ...context, realm: change.state }
      const { before, columns } = plan(now, (await change.run(find))[0])
      const row = await change.update('scheduled_message', {
        id: before.id,
        ...columns,
        ...text,
        failed: false,
      })
      // Beyond the limit, a text may become shorter, or go at another time.
      if (row.rendered_content.length > before.rendered_content.length)
        await checkOwnTexts(change, me.id, 'scheduled messages', scheduledLimits.scheduledMessagesPerUser)
      await scheduleJob(change, scheduledJobKind, row.id, row.deliver_at)
      change.emit(scheduledUpdated(scheduledView(row)), { users: [me.id] })
    })
    return {}
  },
})

function checkAsked({ params, site }: Context) {
  const { type, to, topic, content, scheduled_delivery_timestamp: time } = params
  if ([type, to, topic, content, time].every((value) => value === undefined)) {
    throw badRequest('Nothing to change')
  }
  if (type !== undefined && to === undefined) {
    throw badRequest('Recipient required when updating type of scheduled message.')
  }
  if ((type === 'channel' || type === 'stream') && topic === undefined) {
    throw badRequest('Topic required when updating scheduled message type to channel.')
  }
  if (time !== undefined) checkFuture(time, site.clock())
}

/** Returns the new text, if one is sent. Throws if the user may not send the message, with its text, to its destination. */
async function newText(context: Context, { before, columns }: ReturnType<typeof plan>) {
  const { content } = context.params
  if (content === undefined && !('channel_id' in columns)) return {}
  const text = await contentOf(context, { ...before, ...columns }, content ?? before.content)
  return content === undefined ? {} : text
}

/** Returns the message, and its new address and time as far as they are sent. Throws if it cannot have them. */
function plan(context: Context, before: ScheduledMessageRow | undefined) {
  const { type, to, topic, content, scheduled_delivery_timestamp: time } = context.params
  if (!before) throw noSuchScheduled()
  if (before.failed) checkFuture(time ?? 0, context.site.clock())
  const kindBefore = before.channel_id === null ? 'direct' : 'channel'
  const kind = !type ? kindBefore : type === 'direct' || type === 'private' ? 'direct' : 'channel'
  const isChecked = to !== undefined || topic !== undefined || content !== undefined
  const columns = {
    ...(isChecked && addressOf(context, kind, to ?? scheduledView(before).to, topic ?? before.topic)),
    ...(time !== undefined && { deliver_at: time }),
  }
  return { before, columns }
}
