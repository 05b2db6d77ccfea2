import { requireUser } from '../../../http/access.ts'
import { type CommandContext, command } from '../../../http/endpoint.ts'
import { integer, integers, text } from '../../../http/params.ts'
import { badRequest } from '../../../lib/api-error.ts'
import { printableText } from '../../../lib/text/unprintable.ts'
import { channelToPostIn, channelToSee } from '../../kernel/channels/access.ts'
import { checkMayTalk } from '../../kernel/messages/may-send.ts'
import { topicName } from '../../kernel/messages/message-text.ts'
import { messagingLimits } from '../kernel/messages/limits.ts'
import { participants } from '../kernel/messages/recipients.ts'
import { checkTellsTyping, typing, typingAudience, typingAudienceInChannel } from './notify.ts'
import type { TypingEvent } from './typing.event.ts'

const params = {
  type: text({ oneOf: ['direct', 'stream', 'channel'] }).default('direct'),
  op: text({ oneOf: ['start', 'stop'] }),
  to: integers(messagingLimits.directMessagePeople).documentedAs({ minItems: 1 }).optional(),
  // Clients send null for parameters that do not apply.
  stream_id: integer().optional().nullIsAbsent(),
  topic: text().documentedAs(printableText).optional(),
}

type Context = CommandContext<typeof params>

export const tellTyping = command('POST /typing', {
  summary: 'Notify others that the caller started or stopped typing',
  access: requireUser,
  params,
  returns: {},
  async handle(context) {
    const { params, commitInGroup } = context
    await commitInGroup(typing, params.type === 'direct' ? toPeople(context) : toChannel(context))
    return {}
  },
})

function toPeople({ realm, site, me, params }: Context) {
  const { op, to } = params
  if (to === undefined) throw badRequest("Missing 'to' argument")
  checkTellsTyping(me, 'direct')
  if (to.length === 0) throw badRequest("Empty 'to' list")
  checkMayTalk(realm, me, participants(realm, site, me, to))
  const people = [...new Set([...to, me.id])].map((id) => realm.users.require(id))
  const recipient_ids = people.map((one) => one.id)
  const event: TypingEvent = { type: 'typing', message_type: 'direct', op, sender_id: me.id, recipient_ids }
  return { event, audience: typingAudience(people) }
}

function toChannel({ realm, me, params }: Context) {
  const { op, stream_id } = params
  if (stream_id === undefined) throw badRequest("Missing 'stream_id' argument")
  if (params.topic === undefined) throw badRequest('Missing topic')
  checkTellsTyping(me, 'channel')
  const channel = channelToPostIn(realm, me, channelToSee(realm, me, stream_id).id)
  const topic = topicName(params.topic)
  const sender_id = me.id
  const event: TypingEvent = { type: 'typing', message_type: 'stream', op, sender_id, stream_id, topic }
  return { event, audience: typingAudienceInChannel(realm, channel) }
}
