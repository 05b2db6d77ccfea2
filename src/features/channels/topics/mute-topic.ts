import type { ChannelRow } from '../../../db/schema.ts'
import { requireUser } from '../../../http/access.ts'
import { command } from '../../../http/endpoint.ts'
import { integer, text } from '../../../http/params.ts'
import { badRequest } from '../../../lib/api-error.ts'
import { printableText } from '../../../lib/text/unprintable.ts'
import { invalidChannelId } from '../../kernel/channels/access.ts'
import { messageLimits } from '../../kernel/messages/limits.ts'
import { topicName } from '../../kernel/messages/message-text.ts'
import { type VisibilityPolicy, visibility } from '../../kernel/topics/visibility.ts'
import { channelOfTopic, choosePolicy } from './channel-of-topic.ts'

export const muteTopic = command('PATCH /users/me/subscriptions/muted_topics', {
  summary: 'Mute or unmute a topic (deprecated: POST /user_topics)',
  access: requireUser,
  params: {
    stream_id: integer().optional(),
    stream: text().optional(),
    topic: text({ max: messageLimits.topicLength }).documentedAs(printableText),
    op: text({ oneOf: ['add', 'remove'] }),
  },
  returns: {},
  async handle(context) {
    const { me, params, commit } = context
    const policy = params.op === 'add' ? visibility.muted : visibility.none
    const channel = await channelMeant(context, params, policy)
    const place = { channelId: channel.id, topic: topicName(params.topic) }
    await commit((change) => choosePolicy(change, me, place, policy))
    return {}
  },
})

async function channelMeant(
  asking: Parameters<typeof channelOfTopic>[0],
  { stream_id, stream }: { stream_id: number | undefined; stream: string | undefined },
  policy: VisibilityPolicy,
): Promise<ChannelRow> {
  if (stream_id !== undefined && stream !== undefined) {
    throw badRequest('Unsupported parameter combination: stream_id, stream', {
      parameters: 'stream_id, stream',
    })
  }
  const ref = stream_id ?? stream
  if (ref === undefined) throw badRequest("Missing 'stream_id' argument")
  const channel = await channelOfTopic(asking, ref, policy)
  if (channel) return channel
  throw stream === undefined ? invalidChannelId() : badRequest(`Invalid channel name '${stream}'`)
}
