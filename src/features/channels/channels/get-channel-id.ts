import { z } from 'zod'
import { requireUser } from '../../../http/access.ts'
import { query } from '../../../http/endpoint.ts'
import { text } from '../../../http/params.ts'
import { badRequest } from '../../../lib/api-error.ts'
import { channelByRef, hasMetadataAccess } from '../../kernel/channels/access.ts'

export const getChannelId = query('GET /get_stream_id', {
  summary: "Get a channel's id by its name",
  access: requireUser,
  params: { stream: text() },
  returns: { stream_id: z.int() },
  async handle({ realm, me, params }) {
    const channel = channelByRef(realm, params.stream)
    if (!channel || channel.is_archived || !hasMetadataAccess(realm, me, channel)) {
      throw badRequest(`Invalid channel name '${params.stream}'`)
    }
    return { stream_id: channel.id }
  },
})
