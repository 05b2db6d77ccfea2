import { z } from 'zod'
import { requireUser } from '../../../http/access.ts'
import { command } from '../../../http/endpoint.ts'
import { boolean, integer } from '../../../http/params.ts'
import { scheduleJob } from '../../../jobs/job.ts'
import { contentParam, topicParam } from '../../kernel/messages/message-text.ts'
import { isHumanClient } from '../kernel/messages/compose-message.ts'
import { checkOwnTexts } from '../kernel/own-texts/own-texts.ts'
import {
  addressOf,
  checkFuture,
  contentOf,
  scheduledJobKind,
  scheduledToParam,
  scheduledView,
  typeParam,
} from '../kernel/scheduled/scheduled.ts'
import { scheduledLimits } from './limits.ts'
import { scheduledAdded } from './scheduled_messages.event.ts'

export const createScheduled = command('POST /scheduled_messages', {
  summary: 'Schedule a message',
  since: 179,
  creates: true,
  access: requireUser,
  params: {
    type: typeParam,
    to: scheduledToParam(),
    topic: topicParam().optional(),
    content: contentParam(),
    scheduled_delivery_timestamp: integer(),
    read_by_sender: boolean().optional(), // level 236
  },
  returns: { scheduled_message_id: z.int() },
  async handle(context) {
    const { me, params, request, site, conclude } = context
    const kind = params.type === 'direct' || params.type === 'private' ? 'direct' : 'channel'
    checkFuture(params.scheduled_delivery_timestamp, site.clock())
    const address = addressOf(context, kind, params.to, params.topic)
    const message = {
      sender_id: me.id,
      ...(await contentOf(context, address, params.content)),
      ...address,
      client: request.client,
      read_by_sender: params.read_by_sender ?? isHumanClient(request.client),
      deliver_at: params.scheduled_delivery_timestamp,
    }
    return conclude(async (change) => {
      const row = await change.insert('scheduled_message', message)
      await checkOwnTexts(change, me.id, 'scheduled messages', scheduledLimits.scheduledMessagesPerUser)
      await scheduleJob(change, scheduledJobKind, row.id, row.deliver_at)
      change.emit(scheduledAdded(scheduledView(row)), { users: [me.id] })
      return { scheduled_message_id: row.id }
    })
  },
})
