import { z } from 'zod'
import { requireUser } from '../../../http/access.ts'
import { command } from '../../../http/endpoint.ts'
import { channelNamesParam } from '../../kernel/channels/names.ts'
import { checkBreadth, principalsParam } from './principals.ts'
import { removeSubscriptions } from './remove-subscriptions.ts'

export const unsubscribeByRequest = command('DELETE /users/me/subscriptions', {
  summary: 'Unsubscribe the caller or others from channels',
  access: requireUser,
  params: {
    subscriptions: channelNamesParam(),
    principals: principalsParam().optional(),
  },
  returns: { removed: z.array(z.string()), not_removed: z.array(z.string()) },
  async handle(context) {
    const { subscriptions, principals } = context.params
    checkBreadth(subscriptions, principals)
    return removeSubscriptions(context, subscriptions, principals)
  },
})
