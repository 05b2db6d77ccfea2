import { z } from 'zod'
import { type CommandContext, command } from '../../../http/endpoint.ts'
import { boolean, text } from '../../../http/params.ts'
import { badRequest } from '../../../lib/api-error.ts'
import { unsignedSender } from '../../kernel/bots/access.ts'
import { contentParam, messageText, topicParam } from '../../kernel/messages/message-text.ts'
import { writeMessage } from '../kernel/messages/add-message.ts'
import {
  channelDestination,
  directDestination,
  isHumanClient,
  type MessageDestination,
} from '../kernel/messages/compose-message.ts'
import { prepareMessage } from '../kernel/messages/prepare-message.ts'
import { parseChannelTo, parseDirectTo, toParam } from '../kernel/messages/recipients.ts'
import { widgetLimits } from '../kernel/widgets/limits.ts'
import { widgetSchema } from '../kernel/widgets/widget.ts'
import { echoKey } from './echo-key.ts'

const params = {
  type: text({ oneOf: ['direct', 'channel', 'stream', 'private'] }),
  to: toParam().optional(),
  topic: topicParam().optional().alias('subject'),
  content: contentParam(),
  read_by_sender: boolean().optional(),
  queue_id: text().optional(),
  local_id: text().optional(),
  widget_content: text({ max: widgetLimits.widgetLength }).documentedAs(widgetSchema).optional(), // by bots
  // By bridges that act for others, which this server does not allow.
  forged: text().optional(),
  time: text().optional(),
}

type Context = CommandContext<typeof params>

/**
 * Sending is idempotent. The same message of the same sender under the same `queue_id` and `local_id`, or the same
 * header `Idempotency-Key`, returns the id of the first message and sends nothing again.
 */
export const sendMessage = command('POST /messages', {
  summary: 'Send a message to a channel or to people',
  rank: 'essential',
  creates: true,
  incidental: ['queue_id', 'local_id'], // a client that has started again has another queue
  keyOf: echoKey,
  access: unsignedSender,
  params,
  requires: { queue_id: ['local_id'] },
  returns: {
    id: z.int(),
    automatic_new_visibility_policy: z.int().optional(), // level 218: 2 unmuted, 3 followed
  },
  async handle(context) {
    const { params, request } = context
    if (params.forged !== undefined) throw badRequest('User not authorized for this query')
    const content = messageText(params.content)
    const message = await prepareMessage(context, address(context), {
      content,
      client: request.client,
      readBySender: params.read_by_sender ?? isHumanClient(request.client),
      key: context.requestKey,
      echo:
        params.queue_id && params.local_id ? { queue_id: params.queue_id, local_id: params.local_id } : null,
      widget: params.widget_content,
    })
    return writeMessage(context, message)
  },
})

/** Returns the destination of the message. Throws if the sender may not write there. */
function address(context: Context): MessageDestination {
  const { me, params } = context
  if (params.type === 'direct' || params.type === 'private') {
    return directDestination(context, parseDirectTo(params.to ?? '[]'))
  }
  const channel = params.to === undefined ? me.default_sending_channel_id : parseChannelTo(params.to)
  if (channel === null) throw badRequest('Missing channel')
  return channelDestination(context, channel, params.topic)
}
