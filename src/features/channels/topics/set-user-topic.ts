import { requireUser } from '../../../http/access.ts'
import { command } from '../../../http/endpoint.ts'
import { integer, text } from '../../../http/params.ts'
import { printableText } from '../../../lib/text/unprintable.ts'
import { invalidChannelId } from '../../kernel/channels/access.ts'
import { messageLimits } from '../../kernel/messages/limits.ts'
import { topicName } from '../../kernel/messages/message-text.ts'
import { type VisibilityPolicy, visibility } from '../../kernel/topics/visibility.ts'
import { channelOfTopic, choosePolicy } from './channel-of-topic.ts'

export const setUserTopic = command('POST /user_topics', {
  summary: "Set the caller's visibility policy for a topic",
  since: 170,
  access: requireUser,
  params: {
    stream_id: integer(),
    topic: text({ max: messageLimits.topicLength }).documentedAs(printableText),
    visibility_policy: integer({ oneOf: Object.values(visibility) }),
  },
  returns: {},
  async handle(context) {
    const { me, params, commit } = context
    const policy = params.visibility_policy as VisibilityPolicy
    const channel = await channelOfTopic(context, params.stream_id, policy)
    if (!channel) throw invalidChannelId()
    const topic = topicName(params.topic)
    await commit((change) => choosePolicy(change, me, { channelId: channel.id, topic }, policy))
    return {}
  },
})
