import { sql } from 'kysely'
import type { Reader } from '../../../db/database.ts'
import type { AccountRow, ChannelRow, MessageRow } from '../../../db/schema.ts'
import type { CallerContext } from '../../../http/endpoint.ts'
import type { Change } from '../../../log/change.ts'
import type { RealmState } from '../../../log/realm-state.ts'
import { topicPolicies } from '../../../narrow/condition.ts'
import { activeSubscription } from '../channels/access.ts'
import { visibleIn, visibleSql } from '../messages/access.ts'
import { userSetting, userSettings } from '../users/settings.ts'
import { topicExists } from './known-topics.ts'
import {
  followTopic,
  setVisibility,
  type TopicPlace,
  type VisibilityPolicy,
  visibility,
} from './visibility.ts'

/** The values of the settings that make users follow or unmute a topic by their own actions. From 4 on: never. */
const onParticipation = 1
const onSend = 2
const onInitiation = 3 // the user's message begins the topic

type Topic = { channel: ChannelRow; topic: string }
type RowReader = Pick<Reader, 'rows'>

/**
 * The visibility policies that an action in a topic triggers through users' settings. They are determined before the
 * change that contains the action, and that change applies them.
 */
export type AutomaticVisibility = TopicPlace & {
  /**
   * The policy that the acting user's settings ask for. A user with one of the policies in `keeps` keeps it. `begins`: they ask
   * for it only because the user begins the topic.
   */
  own: { user: AccountRow; policy: VisibilityPolicy; keeps: readonly number[]; begins?: boolean } | undefined
  /** The users who will follow the topic because a message mentions them. */
  following: number[]
}

/**
 * Returns the policies that a message about to be sent triggers for its topic: for its sender, and for the recipients
 * whom it mentions, by name or through a group (level 235).
 */
export async function visibilityOnSend(
  context: CallerContext<'read'>,
  where: Topic,
  { mentioned }: { mentioned: number[] },
): Promise<AutomaticVisibility | undefined> {
  const own = await policyOfSender(context, where)
  return unlessEmpty(where, own, await followersAmong(context, where, mentioned))
}

/** Returns the policies for a user who participates in another way: by a reaction to a message of the topic, or by a widget. */
export async function visibilityOnParticipation(
  context: CallerContext<'read'>,
  { recipient_id, topic }: Pick<MessageRow, 'recipient_id' | 'topic'>,
): Promise<AutomaticVisibility | undefined> {
  const { realm } = context
  const channel = realm.channels.get(realm.recipients.get(recipient_id)?.channel_id ?? 0)
  if (!channel || !activeSubscription(realm, context.me.id, channel.id)) return undefined
  const where = { channel, topic }
  return unlessEmpty(where, await policyUpTo(context, where, onParticipation), [])
}

function unlessEmpty({ channel, topic }: Topic, own: AutomaticVisibility['own'], following: number[]) {
  return own || following.length > 0 ? { channelId: channel.id, topic, own, following } : undefined
}

/** Sets the policies that still apply. Returns the acting user's new policy if it changed. */
export async function applyAutomaticVisibility(
  change: Change,
  { own, following, ...place }: AutomaticVisibility,
): Promise<VisibilityPolicy | undefined> {
  const isDue = own && !(own.begins && (await hasBegun(change, own.user, place)))
  const isNew = isDue && (await setVisibility(change, own.user, place, own.policy, own.keeps))
  if (following.length > 0) await followTopic(change, following, place)
  return isNew ? own.policy : undefined
}

async function policyOfSender(
  context: CallerContext<'read'>,
  where: Topic,
): Promise<AutomaticVisibility['own']> {
  const { realm, me, read } = context
  const { follow, unmute } = wantedBy(realm, me, where.channel)
  const first = Math.min(follow, unmute)
  if (first > onInitiation) return undefined
  const begins = first > onSend && !(await knowsTopic(realm, me, read, where))
  const own = await policyUpTo(context, where, first <= onSend || begins ? onInitiation : onSend)
  return own && { ...own, begins }
}

/** Returns whether another user has begun the topic since the policy was determined. */
function hasBegun(change: Change, me: AccountRow, { channelId, topic }: TopicPlace): Promise<boolean> {
  const { state } = change
  const read: RowReader = { rows: (query) => change.run(query) }
  return knowsTopic(state, me, read, { channel: state.channels.require(channelId), topic })
}

/**
 * Returns whether a topic has messages that the user may read. Messages of a protected history from before they subscribed must not affect
 * their policies, as that would reveal them.
 */
async function knowsTopic(
  realm: RealmState,
  me: AccountRow,
  read: RowReader,
  { channel, topic }: Topic,
): Promise<boolean> {
  if (channel.history_public_to_subscribers) return topicExists(realm, read, channel, topic)
  const [found] = await read.rows(sql`
    SELECT FROM message m WHERE m.realm_id = ${realm.id} AND ${visibleSql(visibleIn(realm, me, [channel.recipient_id]))}
      AND lower(m.topic) = lower(${topic}::text) LIMIT 1`)
  return found !== undefined
}

/** Returns which actions trigger policies for topics of a channel, by the user's settings. */
function wantedBy(realm: RealmState, me: AccountRow, channel: ChannelRow) {
  const never = onInitiation + 1
  if (me.bot_type !== null) return { follow: never, unmute: never }
  const settings = userSettings(me)
  const isMuted = realm.subscription(me.id, channel.id)?.is_muted ?? false
  return {
    follow: settings.automatically_follow_topics_policy,
    unmute: isMuted ? settings.automatically_unmute_topics_in_muted_streams_policy : never,
  }
}

/**
 * Returns the policy that the user's settings ask for, if all actions up to `trigger` count. Settings only ever make a
 * topic more visible. A policy that the user chose stays when they only begin the topic.
 */
async function policyUpTo(
  { realm, me, read }: CallerContext<'read'>,
  { channel, topic }: Topic,
  trigger: number,
) {
  const { follow, unmute } = wantedBy(realm, me, channel)
  const wantedUpTo = (when: number) =>
    follow <= when ? visibility.followed : unmute <= when ? visibility.unmuted : undefined
  const policy = wantedUpTo(trigger)
  if (!policy) return undefined
  const current = (await policiesOf(read, realm, [me.id], channel, topic)).get(me.id)
  const lasting = wantedUpTo(Math.min(trigger, onSend))
  if (current === undefined) {
    const keeps = lasting === policy ? [visibility.followed] : Object.values(topicPolicies)
    return { user: me, policy, keeps }
  }
  if (!lasting || current === lasting || current === visibility.followed) return undefined
  return { user: me, policy: lasting, keeps: [visibility.followed] }
}

/** Returns the users who will follow a topic that mentions them. Users who have muted the topic are left out. */
async function followersAmong(
  { realm, read }: CallerContext<'read'>,
  { channel, topic }: Topic,
  mentioned: number[],
) {
  const followers = mentioned.filter((id) => {
    const user = realm.users.require(id)
    return user.bot_type === null && userSetting(user, 'automatically_follow_topics_where_mentioned')
  })
  if (followers.length === 0) return []
  const policies = await policiesOf(read, realm, followers, channel, topic)
  const kept: (number | undefined)[] = [visibility.muted, visibility.followed]
  return followers.filter((id) => !kept.includes(policies.get(id)))
}

async function policiesOf(
  read: Reader,
  realm: RealmState,
  userIds: number[],
  channel: ChannelRow,
  topic: string,
): Promise<Map<number, number>> {
  const rows = await read
    .selectFrom('user_topic')
    .where('realm_id', '=', realm.id)
    .where('user_id', 'in', userIds)
    .where('channel_id', '=', channel.id)
    .where(sql<string>`lower(topic)`, '=', sql<string>`lower(${topic}::text)`)
    .select(['user_id', 'visibility_policy'])
    .execute()
  return new Map(rows.map((row) => [row.user_id, row.visibility_policy]))
}
