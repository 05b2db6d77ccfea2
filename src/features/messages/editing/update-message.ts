import { z } from 'zod'
import { requireUser } from '../../../http/access.ts'
import { type CommandContext, command } from '../../../http/endpoint.ts'
import { boolean, integer, pathInteger, text } from '../../../http/params.ts'
import { messageToRead } from '../../kernel/messages/access.ts'
import { editedContentParam, topicParam } from '../../kernel/messages/message-text.ts'
import { topicParticipants } from '../../kernel/messages/wildcards.ts'
import { composeMessage } from '../kernel/messages/compose-message.ts'
import { linkTargets } from '../kernel/uploads/link-targets.ts'
import { attachmentSchema } from '../kernel/uploads/uploads.ts'
import { editMessages, type NewText } from './edit-messages.ts'
import { foundOr404, type Target, targetNow, targetQuery } from './edited-message.ts'
import { movedMeanwhile, moveMessages } from './move-messages.ts'
import { planMessageUpdate, propagateModes } from './plan-update.ts'

const params = {
  message_id: pathInteger(),
  stream_id: integer().optional(), // level 1
  topic: topicParam().optional().alias('subject'),
  propagate_mode: text({ oneOf: propagateModes }).default('change_one'),
  send_notification_to_old_thread: boolean().default(false), // level 9
  send_notification_to_new_thread: boolean().default(true),
  content: editedContentParam().optional(),
  prev_content_sha256: text().optional(), // level 379
}

type Context = CommandContext<typeof params>

/**
 * Changes the text of a message, or moves it to another topic or channel, alone or with other messages of its topic. A
 * large topic moves in several steps, and each step emits an event for the messages that it moved.
 */
export const updateMessage = command('PATCH /messages/{message_id}', {
  summary: 'Edit or move a message',
  access: requireUser,
  params,
  returns: { detached_uploads: z.array(attachmentSchema) }, // level 285
  async handle(context) {
    const { realm, me, params, read, commit } = context
    await messageToRead(realm, me, read, params.message_id)
    const message = foundOr404((await read.rows(targetQuery(realm.id, params.message_id)))[0])
    const plan = planMessageUpdate(realm, me, message, params, context.site.clock())
    const text = plan.content === undefined ? undefined : await newText(context, message, plan.content)
    if (plan.move) {
      return { detached_uploads: await moveMessages(context, message, plan.move, text) }
    }
    const detached_uploads = await commit(async (change) => {
      const current = await targetNow(change, me, params.message_id)
      planMessageUpdate(change.state, me, current, params, change.now)
      // The mentions of the text, and whether they are permitted, depend on the channel.
      if (current.recipient_id !== message.recipient_id) throw movedMeanwhile()
      const edited = await editMessages(change, { me, ids: [current.id], target: current, text })
      await edited.emit()
      return edited.detached
    })
    return { detached_uploads }
  },
})

/** Returns the new text with everything derived from it. */
async function newText(
  { realm, me, site, read }: Context,
  message: Target,
  content: string,
): Promise<NewText> {
  const { channel_id: channelId = null, user_ids: userIds = null } =
    realm.recipients.get(message.recipient_id) ?? {}
  const destination = {
    recipientId: message.recipient_id,
    topic: message.topic,
    channel: channelId ? realm.channels.get(channelId) : undefined,
    userIds,
    checkedAt: realm.position,
  }
  const targets = await linkTargets({ read, realm, site }, content)
  const participants = await topicParticipants(read, realm, me, destination, content)
  const { client, read_by_sender: readBySender } = message
  const outgoing = { content, client, readBySender, targets, participants }
  const composed = composeMessage({ realm, site, me }, destination, outgoing)
  const { mentioned, alerted = [], topicMentioned = null, uploads = [], hasUnreadPages = false } = composed
  const columns = { ...composed.message, topic_mentioned: topicMentioned }
  return { ...columns, mentioned, alerted, uploads, hasUnreadPages }
}
