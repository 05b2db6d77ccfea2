import { z } from 'zod'
import { requireUser } from '../../../http/access.ts'
import { query } from '../../../http/endpoint.ts'
import { pathInteger } from '../../../http/params.ts'
import { activeSubscription, channelToSee } from '../../kernel/channels/access.ts'
import { userById } from '../../people/kernel/users/access.ts'

export const getSubscriptionStatus = query('GET /users/{user_id}/subscriptions/{stream_id}', {
  summary: 'Check whether a user is subscribed to a channel',
  since: 12,
  access: requireUser,
  params: { user_id: pathInteger(), stream_id: pathInteger() },
  returns: { is_subscribed: z.boolean() },
  async handle({ realm, me, params }) {
    const { id } = userById(realm, me, params.user_id)
    const channel = channelToSee(realm, me, params.stream_id)
    return { is_subscribed: activeSubscription(realm, id, channel.id) !== undefined }
  },
})
