import { z } from 'zod'
import { requireUser } from '../../../http/access.ts'
import { query } from '../../../http/endpoint.ts'
import { activeSubscription } from '../../kernel/channels/access.ts'
import { subscriptionSchema } from '../kernel/channels/channel-schemas.ts'
import { channelsByName, subscriptionView } from '../kernel/channels/channel-view.ts'
import { allowedSubscribers, includeSubscribersParam } from '../kernel/subscriptions/included-subscribers.ts'

export const getSubscriptions = query('GET /users/me/subscriptions', {
  summary: "List the caller's subscriptions",
  access: requireUser,
  params: { include_subscribers: includeSubscribersParam() },
  returns: {
    subscriptions: z.array(subscriptionSchema),
  },
  async handle({ realm, me, params }) {
    const includeSubscribers = allowedSubscribers(realm, me, params.include_subscribers)
    const subscriptions = channelsByName(realm)
      .filter((channel) => !channel.is_archived)
      .flatMap((channel) => activeSubscription(realm, me.id, channel.id) ?? [])
      .map((subscription) => subscriptionView(realm, subscription, { includeSubscribers }))
    return { subscriptions }
  },
})
