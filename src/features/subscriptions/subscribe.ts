import { z } from 'zod'
import type { AccountRow, ChannelRow } from '../../db/schema.ts'
import { member } from '../../http/access.ts'
import { type CommandContext, command } from '../../http/endpoint.ts'
import { boolean, integer, json } from '../../http/params.ts'
import { badRequest } from '../../lib/api-error.ts'
import { limits } from '../../lib/limits.ts'
import type { RealmState } from '../../log/realm-state.ts'
import { createChannels } from '../channels/create-channels.ts'
import { channelPermissionParams, newChannelSettings } from '../channels/new-channel-settings.ts'
import { retentionParam } from '../channels/retention.ts'
import { topicsPolicyParam } from '../channels/topics-policy.ts'
import { maySubscribe, maySubscribeOthers } from './access.ts'
import { principals, principalsParam } from './principals.ts'
import { type Subscribed, subscribeUsers } from './subscribe-users.ts'
import { type WantedChannel, wantedChannelSchema, wantedChannels } from './wanted-channels.ts'

const params = {
  subscriptions: json(z.array(wantedChannelSchema)),
  invite_only: boolean().default(false),
  is_web_public: boolean().default(false), // level 98
  is_default_stream: boolean().default(false), // level 200
  history_public_to_subscribers: boolean().optional(),
  message_retention_days: retentionParam().optional(), // level 17
  ...channelPermissionParams,
  folder_id: integer().optional(), // level 389
  topics_policy: topicsPolicyParam().default('inherit'), // level 392
  announce: boolean().default(false),
  principals: principalsParam().optional(),
  authorization_errors_fatal: boolean().default(true),
  send_new_subscription_messages: boolean().default(true), // level 397
}

type Context = CommandContext<typeof params>

export const subscribe = command('POST /users/me/subscriptions', {
  summary: 'Subscribe yourself or others to channels; those that do not exist are created',
  access: member,
  params,
  returns: {
    subscribed: z.record(z.string(), z.array(z.string())),
    already_subscribed: z.record(z.string(), z.array(z.string())),
    unauthorized: z.array(z.string()).optional(),
    new_subscription_messages_sent: z.boolean().optional(), // level 397
  },
  async handle(context) {
    const { realm, me, params, commit } = context
    const wanted = wantedChannels(params.subscriptions)
    plan(context, realm, wanted) // refuses what it can before anything waits for it
    const { result, unauthorized } = await commit(async (change) => {
      const { users, known, missing, unauthorized, settings } = plan(context, change.state, wanted)
      const created = await createChannels(
        change,
        me,
        missing.map((channel) => ({ ...settings!, ...channel.text })),
        users,
      )
      const channels = [...known, ...created]
      const colors = colorsOf(channels, wanted)
      return { result: await subscribeUsers(change, { channels, users, colors }), unauthorized }
    })
    return {
      subscribed: namesByUser(result.subscribed),
      already_subscribed: namesByUser(result.already),
      ...(!params.authorization_errors_fatal && {
        unauthorized: unauthorized.map((channel) => channel.name),
      }),
      ...(params.send_new_subscription_messages && { new_subscription_messages_sent: fewEnough(result, me) }),
    }
  },
})

/** Who is to be subscribed to what, and which channels are to be created first; throws what is not allowed. */
function plan({ me, params, site }: Context, realm: RealmState, wanted: WantedChannel[]) {
  const users = principals(realm, site, me, params.principals)
  const others = users.some((user) => user.id !== me.id)
  const existing = wanted.flatMap(({ key }) => realm.channelByName(key) ?? [])
  const missing = wanted.filter(({ key }) => !realm.channelByName(key))
  const settings = missing.length > 0 ? newChannelSettings(realm, me, params) : undefined
  const known: ChannelRow[] = []
  const unauthorized: ChannelRow[] = []
  for (const channel of existing) {
    const allowed = others ? maySubscribeOthers(realm, me, channel) : maySubscribe(realm, me, channel)
    if (allowed) known.push(channel)
    else unauthorized.push(channel)
  }
  if (unauthorized.length > 0 && params.authorization_errors_fatal) {
    throw badRequest(`Unable to access channel (${unauthorized[0]!.name}).`)
  }
  return { users, known, missing, unauthorized, settings }
}

function colorsOf(channels: ChannelRow[], wanted: WantedChannel[]): Map<number, string> {
  const asked = new Map(wanted.map(({ key, color }) => [key, color]))
  const colors = channels.map((channel) => [channel.id, asked.get(channel.name.toLowerCase())] as const)
  return new Map(colors.filter((pair): pair is [number, string] => pair[1] !== undefined))
}

function namesByUser(lists: Map<number, ChannelRow[]>): Record<string, string[]> {
  const entries = [...lists].map(([id, channels]) => [id, channels.map((channel) => channel.name).sort()])
  return Object.fromEntries(entries)
}

/** Whether those whom somebody else has subscribed can be told so in a message each. */
function fewEnough({ subscribed }: Subscribed, me: AccountRow) {
  const others = [...subscribed.keys()].filter((id) => id !== me.id)
  return others.length <= limits.bulkNewSubscriptionMessages
}
