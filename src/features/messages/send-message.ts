import { z } from 'zod'
import type { ChannelRow } from '../../db/schema.ts'
import { user } from '../../http/access.ts'
import { type CommandContext, command } from '../../http/endpoint.ts'
import { boolean, text } from '../../http/params.ts'
import { ApiError, badRequest } from '../../lib/api-error.ts'
import { limits } from '../../lib/limits.ts'
import { realmUrl } from '../../lib/site.ts'
import { render } from '../../markdown/render.ts'
import { channelToPostIn } from '../channels/access.ts'
import { emptyTopicDisplayName, realmSettings } from '../realm/settings.ts'
import { changeVisibilityOnSend } from '../topics/automatic-visibility.ts'
import { markdownLookup } from './markdown-lookup.ts'
import { type NewMessage, sending } from './new-message.ts'
import { checkMayTalk, openConversation, parseChannelTo, parseDirectTo, participants } from './recipients.ts'
import { sentBefore } from './send-key.ts'
import { messageText, topicName } from './text.ts'

const params = {
  type: text({ oneOf: ['direct', 'channel', 'stream', 'private'] }),
  to: text().optional(),
  topic: text().optional().alias('subject'),
  content: text(),
  read_by_sender: boolean().optional(),
  queue_id: text().optional(),
  local_id: text().optional(),
  forged: text().optional(), // by bridges that act for others, which this server does not allow
  time: text().optional(), // likewise
}

type Context = CommandContext<typeof params>

/**
 * Sending is idempotent: the same `queue_id` and `local_id`, or the same header `Idempotency-Key`, of the same sender
 * answers with the id of the first message and sends nothing again.
 */
export const sendMessage = command('POST /messages', {
  summary: 'Send a message to a channel or to people',
  access: user,
  params,
  returns: {
    id: z.int(),
    automatic_new_visibility_policy: z.int().optional(), // level 218: 2 unmuted, 3 followed
  },
  async handle(context) {
    const { realm, me, params, read, commitInGroup } = context
    if (params.forged !== undefined) throw badRequest('User not authorized for this query')
    const content = messageText(params.content)
    const { recipientId, topic, channel } = await address(context)
    const message = compose(context, { content, topic, recipientId, channel })
    const policy = channel && (await changeVisibilityOnSend(context, channel, topic))
    try {
      const id = await commitInGroup(sending, message)
      return policy ? { id, automatic_new_visibility_policy: policy } : { id }
    } catch (error) {
      const first = message.key && (await sentBefore(read, realm.id, me.id, message.key, error))
      if (first) return { id: first }
      throw error
    }
  },
})

/** Whom the message goes to; throws if its sender may not write there. */
async function address({ realm, me, params, site, commit }: Context) {
  if (params.type === 'direct' || params.type === 'private') {
    const people = participants(realm, site, me, parseDirectTo(params.to ?? '[]'))
    checkMayTalk(realm, me, people)
    const conversation = await openConversation(realm, commit, people)
    return { recipientId: conversation.id, topic: '', channel: undefined }
  }
  if (params.to === undefined) throw badRequest('Missing channel')
  const ref = parseChannelTo(params.to)
  if (params.topic === undefined) throw badRequest('Missing topic')
  const topic = topicName(params.topic)
  const channel = channelToPostIn(realm, me, ref)
  checkTopicPolicy(realmSettings(realm).topics_policy, channel, topic)
  return { recipientId: channel.recipient_id, topic, channel }
}

/** Whether the channel takes messages with, or only without, a topic (levels 392 and 404). */
function checkTopicPolicy(realmPolicy: string, channel: ChannelRow, topic: string) {
  const policy = channel.topics_policy === 'inherit' ? realmPolicy : channel.topics_policy
  const data = { empty_topic_display_name: emptyTopicDisplayName }
  if (policy === 'disable_empty_topic' && topic === '') {
    throw badRequest(`Sending messages to the ${emptyTopicDisplayName} is not allowed in this channel.`, data)
  }
  if (policy === 'empty_topic_only' && topic !== '') {
    throw badRequest(`Only the ${emptyTopicDisplayName} topic is allowed in this channel.`, data)
  }
}

function compose(
  context: Context,
  draft: { content: string; topic: string; recipientId: number; channel: ChannelRow | undefined },
): NewMessage {
  const { realm, me, params, site, request } = context
  const rendered = render(draft.content, markdownLookup(realm, realmUrl(site, realm.realm)))
  const { wildcard, mentionedUserIds, isMeMessage } = rendered.facts
  return {
    realmId: realm.id,
    message: {
      recipient_id: draft.recipientId,
      sender_id: me.id,
      topic: draft.topic,
      content: draft.content,
      rendered_content: rendered.html,
      rendered_version: rendered.version,
      client: request.client,
      is_me_message: isMeMessage,
      mentions_channel: wildcard.channel && draft.channel !== undefined,
      mentions_topic: wildcard.topic && draft.channel !== undefined,
      read_by_sender: params.read_by_sender ?? isHumanClient(request.client),
    },
    mentioned: mentionedUserIds.filter((id) => mayReceive(context, draft.channel, draft.recipientId, id)),
    key: sendKey(params, request.header('idempotency-key')),
    echo:
      params.queue_id && params.local_id ? { queue_id: params.queue_id, local_id: params.local_id } : null,
  }
}

/** A mention counts for those who get the message; bots are also told in channels that they are not in. */
function mayReceive(
  { realm }: Context,
  channel: ChannelRow | undefined,
  recipientId: number,
  userId: number,
) {
  if (!channel) return realm.recipients.get(recipientId)?.user_ids?.includes(userId) ?? false
  return realm.subscription(userId, channel.id)?.received.at(-1)?.[1] === null
}

/** Clients in which a person sees what they send as they send it. */
const humanClients =
  /^(zulip(mobile|desktop|electron|ios|android|flutter)|website|ios|android|snipe)$|desktop app/i

function isHumanClient(client: string) {
  return humanClients.test(client)
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
  return `echo:${sent.queue_id}:${sent.local_id}`.slice(0, 2 * limits.idempotencyKeyLength)
}
