import type { AccountRow, ChannelRow } from '../../db/schema.ts'
import { boolean, integer, type Values } from '../../http/params.ts'
import { badRequest } from '../../lib/api-error.ts'
import { limits } from '../../lib/limits.ts'
import type { Site } from '../../lib/site.ts'
import type { Change } from '../../log/change.ts'
import type { RealmState } from '../../log/realm-state.ts'
import { createChannels } from '../channels/create-channels.ts'
import { channelPermissionParams, newChannelSettings } from '../channels/new-channel-settings.ts'
import { newRetentionParam } from '../channels/retention.ts'
import { topicsPolicyParam } from '../channels/topics-policy.ts'
import { maySubscribe, maySubscribeOthers } from './access.ts'
import { principals, principalsParam } from './principals.ts'
import { tellOfSubscribing } from './subscribe-notices.ts'
import { type Subscribed, subscribeUsers } from './subscribe-users.ts'
import type { WantedChannel } from './wanted-channels.ts'

/** What can be said of a wish to be in channels, beside which. Most of it counts for channels that it creates. */
export const addingParams = {
  invite_only: boolean().default(false),
  is_web_public: boolean().default(false), // level 98
  is_default_stream: boolean().default(false), // level 200
  history_public_to_subscribers: boolean().optional(),
  message_retention_days: newRetentionParam().optional(), // level 17
  ...channelPermissionParams,
  folder_id: integer().optional(), // level 389
  topics_policy: topicsPolicyParam().default('inherit'), // level 392
  announce: boolean().default(false),
  principals: principalsParam().optional(),
  authorization_errors_fatal: boolean().default(true),
  send_new_subscription_messages: boolean().default(true), // level 397
}

type AddingWishes = Partial<Values<typeof addingParams>>

type Asking = { me: AccountRow; site: Site }
type Plan = ReturnType<typeof planAdding>

/** Who is to be subscribed to what, and which channels are to be created first; throws what is not allowed. */
export function planAdding(
  { me, site }: Asking,
  realm: RealmState,
  wanted: WantedChannel[],
  wishes: AddingWishes,
) {
  const users = principals(realm, site, me, wishes.principals)
  const others = users.some((user) => user.id !== me.id)
  const existing = wanted.flatMap(({ key }) => realm.channelByName(key) ?? [])
  const missing = wanted.filter(({ key }) => !realm.channelByName(key))
  // Nobody else can write meanwhile.
  if (missing.length > limits.newChannelsPerRequest) {
    throw badRequest(`Too many new channels at once (maximum ${limits.newChannelsPerRequest}).`)
  }
  const settings = missing.length > 0 ? newChannelSettings(realm, site, me, wishes) : undefined
  const known: ChannelRow[] = []
  const unauthorized: ChannelRow[] = []
  for (const channel of existing) {
    const allowed = others ? maySubscribeOthers(realm, me, channel) : maySubscribe(realm, me, channel)
    if (allowed) known.push(channel)
    else unauthorized.push(channel)
  }
  if (unauthorized.length > 0 && wishes.authorization_errors_fatal !== false) {
    throw badRequest(`Unable to access channel (${unauthorized[0]!.name}).`)
  }
  return { users, known, missing, unauthorized, settings }
}

/** What came of it, in the words of the answer. */
type Added = ReturnType<typeof answerOf>

/** Creates the channels that are missing, subscribes, and lets the Notification Bot tell of it. */
export async function addSubscriptions(
  { me: { id }, site }: Asking,
  change: Change,
  wanted: WantedChannel[],
  wishes: AddingWishes,
): Promise<Added> {
  const asking = { me: change.state.users.get(id)!, site }
  const plan = planAdding(asking, change.state, wanted, wishes)
  const { users, known, missing, settings } = plan
  const created = await createChannels(
    change,
    asking.me,
    missing.map((channel) => ({ ...settings!, ...channel.text })),
    users,
  )
  const channels = [...known, ...created]
  const result = await subscribeUsers(change, { channels, users, colors: colorsOf(channels, wanted) })
  const wantsMessages = wishes.send_new_subscription_messages !== false
  const tellsNewcomers = wantsMessages && fewEnough(result, asking.me)
  await tellOfSubscribing(change, asking, {
    created,
    isAnnounced: wishes.announce ?? false,
    newcomers: tellsNewcomers ? result.subscribed : new Map(),
  })
  return answerOf(plan, result, wishes, wantsMessages ? tellsNewcomers : undefined)
}

function answerOf(
  { unauthorized }: Plan,
  result: Subscribed,
  wishes: AddingWishes,
  messagesSent: boolean | undefined,
) {
  return {
    subscribed: namesByUser(result.subscribed),
    already_subscribed: namesByUser(result.already),
    ...(wishes.authorization_errors_fatal === false && {
      unauthorized: unauthorized.map(({ name }) => name),
    }),
    ...(messagesSent !== undefined && { new_subscription_messages_sent: messagesSent }),
  }
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
