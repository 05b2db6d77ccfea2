import { z } from 'zod'
import { requireMember, requireUser } from '../../../http/access.ts'
import { list } from '../../../http/collections.ts'
import { command } from '../../../http/endpoint.ts'
import { json } from '../../../http/params.ts'
import { badRequest } from '../../../lib/api-error.ts'
import { lower } from '../../../lib/text/lower.ts'
import { channelLimits } from '../../kernel/channels/limits.ts'
import { channelNamesParam } from '../../kernel/channels/names.ts'
import { addingParams, addSubscriptions, planAdding } from './add-subscriptions.ts'
import { planRemoving, removeSubscriptions } from './remove-subscriptions.ts'
import { wantedChannelSchema, wantedChannels } from './wanted-channels.ts'

export const updateSubscriptions = command('PATCH /users/me/subscriptions', {
  summary: 'Subscribe to and unsubscribe from channels in one request',
  creates: true,
  access: requireUser,
  params: {
    delete: channelNamesParam().default([]),
    add: json(list(wantedChannelSchema, channelLimits.channelsPerRequest)).default([]),
    send_new_subscription_messages: addingParams.send_new_subscription_messages,
  },
  returns: {
    subscribed: z.record(z.string(), z.array(z.string())),
    already_subscribed: z.record(z.string(), z.array(z.string())),
    new_subscription_messages_sent: z.boolean().optional(), // level 397
    removed: z.array(z.string()),
    not_removed: z.array(z.string()),
  },
  async handle(context) {
    const { realm, me, params, commit, conclude } = context
    const { add, delete: leave, send_new_subscription_messages } = params
    if (add.length === 0 && leave.length === 0) {
      throw badRequest('Nothing to do. Specify at least one of "add" or "delete".')
    }
    const wanted = wantedChannels(context, add)
    if (wanted.length > 0) requireMember(realm, me)
    // Both are checked before anything is done.
    planAdding(context, realm, wanted, {})
    planRemoving(context, realm, leave, undefined)
    // The response, which a repeated request gets again, is not complete before both parts are done.
    const unfinished = { ...context, conclude: commit }
    const added = await addSubscriptions(unfinished, wanted, { send_new_subscription_messages })
    // Users who were not subscribed before are not unsubscribed.
    const fresh = new Set(added.subscribed[me.id]?.map(lower))
    const isFresh = (name: string) => fresh.has(lower(name.trim()))
    const old = leave.filter((name) => !isFresh(name))
    const { removed, not_removed } = await removeSubscriptions(context, old, undefined)
    return conclude(async () => ({
      ...added,
      removed,
      not_removed: [...not_removed, ...leave.filter(isFresh)],
    }))
  },
})
