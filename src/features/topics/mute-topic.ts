import type { AccountRow, ChannelRow } from '../../db/schema.ts'
import { user } from '../../http/access.ts'
import { command } from '../../http/endpoint.ts'
import { integer, text } from '../../http/params.ts'
import { badRequest } from '../../lib/api-error.ts'
import { limits } from '../../lib/limits.ts'
import type { RealmState } from '../../log/realm-state.ts'
import { channelByRef, channelToSee, hasMetadataAccess } from '../channels/access.ts'
import { topicName } from '../messages/text.ts'
import { chooseVisibility, visibility } from './visibility.ts'

export const muteTopic = command('PATCH /users/me/subscriptions/muted_topics', {
  summary: 'Mute or unmute a topic (deprecated: POST /user_topics)',
  access: user,
  params: {
    stream_id: integer().optional(),
    stream: text().optional(),
    topic: text({ max: limits.topicLength }),
    op: text({ oneOf: ['add', 'remove'] }),
  },
  returns: {},
  async handle({ realm, me, params, commit }) {
    const channel = channelMeant(realm, me, params)
    const policy = params.op === 'add' ? visibility.muted : visibility.none
    await commit((change) => chooseVisibility(change, me, channel.id, topicName(params.topic), policy))
    return {}
  },
})

function channelMeant(
  realm: RealmState,
  me: AccountRow,
  { stream_id, stream }: { stream_id: number | undefined; stream: string | undefined },
): ChannelRow {
  if (stream_id !== undefined && stream !== undefined) {
    throw badRequest('Unsupported parameter combination: stream_id, stream', {
      parameters: 'stream_id, stream',
    })
  }
  if (stream_id !== undefined) return channelToSee(realm, me, stream_id)
  if (stream === undefined) throw badRequest("Missing 'stream_id' argument")
  const channel = channelByRef(realm, stream)
  if (!channel || !hasMetadataAccess(realm, me, channel)) throw badRequest(`Invalid channel name '${stream}'`)
  return channel
}
