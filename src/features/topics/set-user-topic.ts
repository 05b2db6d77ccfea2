import { user } from '../../http/access.ts'
import { command } from '../../http/endpoint.ts'
import { integer, text } from '../../http/params.ts'
import { limits } from '../../lib/limits.ts'
import { channelToSee } from '../channels/access.ts'
import { topicName } from '../messages/text.ts'
import { chooseVisibility, type VisibilityPolicy, visibility } from './visibility.ts'

export const setUserTopic = command('POST /user_topics', {
  summary: "Set the caller's visibility policy for a topic",
  since: 170,
  access: user,
  params: {
    stream_id: integer(),
    topic: text({ max: limits.topicLength }),
    visibility_policy: integer({ oneOf: Object.values(visibility) }),
  },
  returns: {},
  async handle({ realm, me, params, commit }) {
    const channel = channelToSee(realm, me, params.stream_id)
    const topic = topicName(params.topic)
    const policy = params.visibility_policy as VisibilityPolicy
    await commit((change) => chooseVisibility(change, me, channel.id, topic, policy))
    return {}
  },
})
