import type { AccountRow, ChannelRow } from '../../../db/schema.ts'
import type { CallerContext } from '../../../http/endpoint.ts'
import { boolean, integer, type Values } from '../../../http/params.ts'
import { badRequest } from '../../../lib/api-error.ts'
import { chunksOf } from '../../../lib/collections/chunks-of.ts'
import { firstIn } from '../../../lib/must.ts'
import { lower } from '../../../lib/text/lower.ts'
import type { Change } from '../../../log/change.ts'
import type { RealmState } from '../../../log/realm-state.ts'
import { inSteps } from '../../../log/steps.ts'
import { checkMadeToday } from '../../kernel/users/made-today.ts'
import { createChannels } from '../kernel/channels/create-channels.ts'
import { channelPermissionParams, newChannelSettings } from '../kernel/channels/new-channel-settings.ts'
import { newRetentionParam } from '../kernel/channels/retention.ts'
import { topicsPolicyParam } from '../kernel/channels/topics-policy.ts'
import { maySubscribe, maySubscribeOthers } from './access.ts'
import { subscriptionLimits } from './limits.ts'
import { principals, principalsParam } from './principals.ts'
import { smallestStep } from './smallest-step.ts'
import { notifyCreated, notifySubscribed } from './subscribe-notices.ts'
import { type Subscribed, subscribeUsers } from './subscribe-users.ts'
import type { WantedChannel } from './wanted-channels.ts'

/** The parameters of a subscription request. Most of them apply to channels that it creates. */
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

type AddingParams = Partial<Values<typeof addingParams>>

/**
 * Returns the subscriptions to make and the channels to create first; throws if a change is not allowed. `own`: the
 * channels that this same request has created.
 */
export function planAdding(
  { me, site }: Pick<CallerContext, 'me' | 'site'>,
  realm: RealmState,
  wanted: WantedChannel[],
  params: AddingParams,
  own: ChannelRow[] = [],
) {
  const users = principals(realm, site, me, params.principals)
  const others = users.some((user) => user.id !== me.id)
  const existing = wanted.flatMap(({ key }) => realm.channelByName(key) ?? [])
  const missing = wanted.filter(({ key }) => !realm.channelByName(key))
  // No other write can happen in the meantime.
  if (missing.length > subscriptionLimits.newChannelsPerRequest) {
    throw badRequest(
      `Too many new channels in one request (maximum ${subscriptionLimits.newChannelsPerRequest}).`,
    )
  }
  if (missing.length > 0) {
    const limit = { what: 'channels', most: subscriptionLimits.newChannelsPerDay, more: missing.length }
    checkMadeToday(realm, me, realm.channels.values(), { ...limit, now: site.clock() })
  }
  const settings = missing.length > 0 ? newChannelSettings(realm, site, me, params) : undefined
  const ownIds = new Set(own.map((channel) => channel.id))
  const known: ChannelRow[] = []
  const unauthorized: ChannelRow[] = []
  for (const channel of existing) {
    const allowed = others ? maySubscribeOthers(realm, me, channel) : maySubscribe(realm, me, channel)
    if (allowed || ownIds.has(channel.id)) known.push(channel)
    else unauthorized.push(channel)
  }
  if (unauthorized.length > 0 && params.authorization_errors_fatal !== false) {
    throw badRequest(`Unable to access channel (${firstIn(unauthorized).name}).`)
  }
  return { users, known, missing, unauthorized, settings }
}

/** The result, in the form of the response. */
type Added = ReturnType<typeof answerOf>

/** The progress of the request. */
type Progress = {
  created: ChannelRow[]
  unauthorized: Set<string>
  result: Subscribed
  /** Whether users whom another user has subscribed receive a message, once that is known. */
  tellsNewcomers: boolean
}

/**
 * Creates the missing channels, subscribes the users, and posts the Notification Bot's messages. Works in steps of some
 * channels and users. A channel is created together with its first subscribers, and a caller who repeats the request
 * adds the remaining ones. Forbidden changes are refused before the first step.
 */
export async function addSubscriptions(
  context: CallerContext<'commit' | 'conclude'>,
  wanted: WantedChannel[],
  params: AddingParams,
): Promise<Added> {
  const { users, unauthorized } = planAdding(context, context.realm, wanted, params)
  const ids = users.map((user) => user.id)
  const closed = new Set(unauthorized.map((channel) => lower(channel.name)))
  const progress: Progress = {
    created: [],
    unauthorized: new Set(unauthorized.map((channel) => channel.name)),
    result: { subscribed: new Map(), already: new Map() },
    tellsNewcomers: params.send_new_subscription_messages !== false,
  }
  const open = wanted.filter(({ key }) => !closed.has(key))
  const parts = chunksOf(open, subscriptionLimits.channelsPerStep)
  for (const [i, part] of parts.entries()) {
    const isEnd = (step: { isLast: boolean }) => step.isLast && i === parts.length - 1
    await inSteps(
      (work, step) => (isEnd(step) ? context.conclude(work) : context.commit(work)),
      ids,
      () =>
        smallestStep(
          context.realm,
          part.map(({ key }) => context.realm.channelByName(key)),
        ),
      async (change, principals, step) => {
        const created = await addSome(context, change, part, { ...params, principals }, progress)
        if (isEnd(step)) await postNotices(context, change, params, progress)
        await notifyCreated(change, context, created)
        return isEnd(step) ? answerOf(progress, params) : progress
      },
    )
  }
  return answerOf(progress, params)
}

/** Runs one step, without its messages. Returns the channels that it has created. */
async function addSome(
  { me: { id }, site }: Pick<CallerContext, 'me' | 'site'>,
  change: Change,
  wanted: WantedChannel[],
  params: AddingParams,
  progress: Progress,
) {
  const me = change.state.users.require(id)
  const plan = planAdding({ me, site }, change.state, wanted, params, progress.created)
  const { users, known, missing, settings, unauthorized } = plan
  const created = await createChannels(
    change,
    me,
    missing.map((channel) => ({ ...settings!, ...channel.text })),
    users,
  )
  const channels = [...known, ...created]
  const result = await subscribeUsers(change, { channels, users, colors: colorsOf(channels, wanted) })
  progress.created.push(...created)
  for (const { name } of unauthorized) progress.unauthorized.add(name)
  extend(progress.result.subscribed, result.subscribed)
  extend(progress.result.already, result.already)
  return created
}

async function postNotices(
  { me: { id }, site }: Pick<CallerContext, 'me' | 'site'>,
  change: Change,
  params: AddingParams,
  progress: Progress,
) {
  const me = change.state.users.require(id)
  const { created, result } = progress
  progress.tellsNewcomers &&= areFewEnough(result, me)
  await notifySubscribed(
    change,
    { me, site },
    {
      created,
      isAnnounced: params.announce ?? false,
      newcomers: progress.tellsNewcomers ? result.subscribed : new Map(),
    },
  )
}

function extend(all: Map<number, ChannelRow[]>, more: Map<number, ChannelRow[]>) {
  for (const [id, channels] of more) all.set(id, [...(all.get(id) ?? []), ...channels])
}

function answerOf({ unauthorized, result, tellsNewcomers }: Progress, params: AddingParams) {
  return {
    subscribed: namesByUser(result.subscribed),
    already_subscribed: namesByUser(result.already),
    ...(params.authorization_errors_fatal === false && { unauthorized: [...unauthorized] }),
    ...(params.send_new_subscription_messages !== false && {
      new_subscription_messages_sent: tellsNewcomers,
    }),
  }
}

function colorsOf(channels: ChannelRow[], wanted: WantedChannel[]): Map<number, string> {
  const asked = new Map(wanted.map(({ key, color }) => [key, color]))
  const colors = channels.map((channel) => [channel.id, asked.get(lower(channel.name))] as const)
  return new Map(colors.filter((pair): pair is [number, string] => pair[1] !== undefined))
}

function namesByUser(lists: Map<number, ChannelRow[]>): Record<string, string[]> {
  const entries = [...lists].map(([id, channels]) => [id, channels.map((channel) => channel.name).sort()])
  return Object.fromEntries(entries)
}

/** Whether the users whom another user has subscribed are few enough to receive a message each. */
function areFewEnough({ subscribed }: Subscribed, me: AccountRow) {
  const others = [...subscribed.keys()].filter((id) => id !== me.id)
  return others.length <= subscriptionLimits.bulkNewSubscriptionMessages
}
