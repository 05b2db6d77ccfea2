import { z } from 'zod'
import { sender } from '../../http/access.ts'
import { type CommandContext, command } from '../../http/endpoint.ts'
import { boolean, text } from '../../http/params.ts'
import { ApiError, badRequest } from '../../lib/api-error.ts'
import { hashKey } from '../../lib/hash-key.ts'
import { limits } from '../../lib/limits.ts'
import { changeVisibilityOnSend, followWhereMentioned } from '../topics/automatic-visibility.ts'
import { linkTargets } from '../uploads/link-targets.ts'
import { addMessage } from './add-message.ts'
import { type NewMessage, sending } from './new-message.ts'
import { channelDestination, composeMessage, directDestination, isHumanClient } from './outgoing.ts'
import { parseChannelTo, parseDirectTo } from './recipients.ts'
import { sentBefore } from './send-key.ts'
import { messageText } from './text.ts'
import { topicParticipants } from './wildcards.ts'

const params = {
  type: text({ oneOf: ['direct', 'channel', 'stream', 'private'] }),
  to: text().optional(), // a bot may have a default channel
  topic: text().optional().alias('subject'),
  content: text(),
  read_by_sender: boolean().optional(),
  queue_id: text().optional(),
  local_id: text().optional(),
  widget_content: text({ max: limits.widgetLength }).optional(), // by bots
  forged: text().optional(), // by bridges that act for others, which this server does not allow
  time: text().optional(), // likewise
}

type Context = CommandContext<typeof params>

/**
 * Sending is idempotent: the same `queue_id` and `local_id`, or the same header `Idempotency-Key`, of the same sender
 * answers with the id of the first message and sends nothing again.
 */
export const sendMessage = command('POST /messages', {
  summary: 'Send a message to a channel or to users',
  access: sender,
  params,
  returns: {
    id: z.int(),
    automatic_new_visibility_policy: z.int().optional(), // level 218: 2 unmuted, 3 followed
  },
  async handle(context) {
    const { realm, me, params, read, request } = context
    if (params.forged !== undefined) throw badRequest('User not authorized for this query')
    const content = messageText(params.content)
    const destination = await address(context)
    const message = composeMessage(context, destination, {
      content,
      client: request.client,
      readBySender: params.read_by_sender ?? isHumanClient(request.client),
      key: sendKey(params, request.header('idempotency-key')),
      echo:
        params.queue_id && params.local_id ? { queue_id: params.queue_id, local_id: params.local_id } : null,
      widget: params.widget_content,
      targets: await linkTargets(read, realm, content),
      participants: await topicParticipants(read, realm, me, destination, content),
    })
    const { channel, topic } = destination
    const policy = channel && (await changeVisibilityOnSend(context, channel, topic))
    if (channel) await followWhereMentioned(context, channel, topic, message)
    try {
      const id = await write(context, message)
      return policy ? { id, automatic_new_visibility_policy: policy } : { id }
    } catch (error) {
      const first = message.key && (await sentBefore(read, realm.id, me.id, message.key, error))
      if (first) return { id: first }
      throw error
    }
  },
})

/** A message with uploads changes those as well; all others are written together with whatever else is sent. */
function write({ me, commit, commitInGroup }: Context, message: NewMessage) {
  if (!message.uploads?.length) return commitInGroup(sending, message)
  return commit((change) => addMessage(change, me, message))
}

/** Whom the message goes to; throws if its sender may not write there. */
async function address(context: Context) {
  const { me, params, commit } = context
  if (params.type === 'direct' || params.type === 'private') {
    return directDestination(context, parseDirectTo(params.to ?? '[]'), commit)
  }
  const channel = params.to === undefined ? me.default_sending_channel_id : parseChannelTo(params.to)
  if (channel === null) throw badRequest('Missing channel')
  return channelDestination(context, channel, params.topic)
}

function sendKey(
  sent: { queue_id?: string | undefined; local_id?: string | undefined },
  header: string | undefined,
) {
  if (header !== undefined) {
    if (header === '' || header.length > limits.idempotencyKeyLength) {
      throw new ApiError('Idempotency-Key is too long or empty')
    }
    return `key:${header}`
  }
  if (sent.queue_id === undefined || sent.local_id === undefined) return null
  const key = `echo:${sent.queue_id}:${sent.local_id}`
  return key.length <= 2 * limits.idempotencyKeyLength ? key : `echo:${hashKey(key)}`
}
