import { z } from 'zod'
import { requireUser } from '../../../http/access.ts'
import { query } from '../../../http/endpoint.ts'
import { pathInteger } from '../../../http/params.ts'
import { channelToSee } from '../../kernel/channels/access.ts'
import { subscribersOf } from '../kernel/subscriptions/subscribers.ts'

export const getSubscribers = query('GET /streams/{stream_id}/members', {
  summary: "List a channel's subscribers",
  access: requireUser,
  params: { stream_id: pathInteger() },
  returns: { subscribers: z.array(z.int()) },
  async handle({ realm, me, params }) {
    return { subscribers: subscribersOf(realm, channelToSee(realm, me, params.stream_id).id) }
  },
})
