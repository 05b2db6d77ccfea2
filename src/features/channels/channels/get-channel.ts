import { requireUser } from '../../../http/access.ts'
import { query } from '../../../http/endpoint.ts'
import { pathInteger } from '../../../http/params.ts'
import { channelToSee } from '../../kernel/channels/access.ts'
import { channelSchema } from '../kernel/channels/channel-schemas.ts'
import { channelView } from '../kernel/channels/channel-view.ts'

export const getChannel = query('GET /streams/{stream_id}', {
  summary: 'Get a channel',
  since: 132,
  access: requireUser,
  params: { stream_id: pathInteger() },
  returns: { stream: channelSchema },
  async handle({ realm, me, params }) {
    return { stream: channelView(realm, channelToSee(realm, me, params.stream_id)) }
  },
})
