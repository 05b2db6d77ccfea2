import { z } from 'zod'
import { requireMember } from '../../../http/access.ts'
import { list } from '../../../http/collections.ts'
import { command } from '../../../http/endpoint.ts'
import { json } from '../../../http/params.ts'
import { channelLimits } from '../../kernel/channels/limits.ts'
import { addingParams, addSubscriptions } from './add-subscriptions.ts'
import { checkBreadth } from './principals.ts'
import { wantedChannelSchema, wantedChannels } from './wanted-channels.ts'

export const subscribe = command('POST /users/me/subscriptions', {
  summary: 'Subscribe the caller or others to channels, creating those that do not exist',
  creates: true,
  access: requireMember,
  params: {
    subscriptions: json(list(wantedChannelSchema, channelLimits.channelsPerRequest)),
    ...addingParams,
  },
  returns: {
    subscribed: z.record(z.string(), z.array(z.string())),
    already_subscribed: z.record(z.string(), z.array(z.string())),
    unauthorized: z.array(z.string()).optional(),
    new_subscription_messages_sent: z.boolean().optional(), // level 397
  },
  async handle(context) {
    const { params } = context
    checkBreadth(params.subscriptions, params.principals)
    const wanted = wantedChannels(context, params.subscriptions)
    return addSubscriptions(context, wanted, params)
  },
})
