import { sql } from 'kysely'
import type { AccountRow, UserTopicRow } from '../../../db/schema.ts'
import { type Selection, selection } from '../../../db/selection.ts'
import { badRequest } from '../../../lib/api-error.ts'
import { groupBy } from '../../../lib/collections/group-by.ts'
import { firstIn } from '../../../lib/must.ts'
import { lower } from '../../../lib/text/lower.ts'
import type { Change } from '../../../log/change.ts'
import type { RealmState } from '../../../log/realm-state.ts'
import { topicPolicies } from '../../../narrow/condition.ts'
import { hasMetadataAccess } from '../channels/access.ts'
import { isMuted } from './is-muted.ts'
import { topicLimits } from './limits.ts'
import { mutedTopicsChanged } from './muted_topics.event.ts'
import { userTopicChanged } from './user_topic.event.ts'

export const visibility = { none: 0, ...topicPolicies } as const
/** A topic of a channel. */
export type TopicPlace = { channelId: number; topic: string }

export type VisibilityPolicy = (typeof visibility)[keyof typeof visibility]

/**
 * Sets a user's policy for a topic and notifies their clients. Does nothing if the user already has it, or has one of
 * the policies in `keeps`. Returns whether it changed.
 */
export async function setVisibility(
  change: Change,
  me: AccountRow,
  { channelId, topic }: TopicPlace,
  policy: VisibilityPolicy,
  keeps: readonly number[] = [],
): Promise<boolean> {
  const isSame = sql`realm_id = ${change.state.id} AND user_id = ${me.id} AND channel_id = ${channelId}
    AND lower(topic) = lower(${topic}::text)`
  const [before] = await change.run<UserTopicRow>(sql<UserTopicRow>`SELECT * FROM user_topic WHERE ${isSame}`)
  const current = before?.visibility_policy ?? visibility.none
  if (current === policy || keeps.includes(current)) return false
  if (before) await change.run(sql`DELETE FROM user_topic WHERE ${isSame}`)
  if (policy !== visibility.none) {
    await change.insert('user_topic', {
      user_id: me.id,
      channel_id: channelId,
      topic,
      visibility_policy: policy,
      updated_at: change.now,
    })
  }
  const muted = await change.run(mutedTopicsQuery(change.state, [me.id]))
  const users = [me.id]
  change.emit(mutedTopicsChanged(mutedTopicsView(change.state, me, muted)), { users })
  change.emit(userTopicChanged(channelId, topic, policy, change.now), { users })
  return true
}

/** Makes those of the users follow a topic who have neither muted nor followed it. A message may mention thousands of users in a group. */
export async function followTopic(change: Change, userIds: number[], { channelId, topic }: TopicPlace) {
  const { state, now } = change
  const isSame = sql`realm_id = ${state.id} AND channel_id = ${channelId} AND lower(topic) = lower(${topic}::text)
    AND user_id = ANY(${userIds}::integer[])`
  await change.run(sql`
    DELETE FROM user_topic WHERE ${isSame} AND visibility_policy = ${visibility.unmuted}`)
  const others = await change.run(sql<{ user_id: number }>`SELECT user_id FROM user_topic WHERE ${isSame}`)
  const kept = new Set(others.map((row) => row.user_id))
  const users = userIds.filter((id) => !kept.has(id))
  if (users.length === 0) return
  const row = { channel_id: channelId, topic, visibility_policy: visibility.followed, updated_at: now }
  await change.insertAll(
    'user_topic',
    users.map((user_id) => ({ user_id, ...row })),
  )
  await emitMutedTopics(change, users)
  change.emit(userTopicChanged(channelId, topic, visibility.followed, now), { users })
}

/**
 * Emits to users their muted topics. Users with the same muted topics (usually none) share one event. If there are very many users, only those
 * for whom `isChanged` returns true get an event.
 */
export async function emitMutedTopics(
  change: Change,
  concerned: number[],
  isChanged: (userId: number) => boolean = () => false,
) {
  const { state } = change
  const users = concerned.length <= topicLimits.mutedTopicsTold ? concerned : concerned.filter(isChanged)
  const muted = groupBy(await change.run(mutedTopicsQuery(state, users)), (one) => one.user_id)
  const alike = groupBy(users, (id) =>
    JSON.stringify(mutedTopicsView(state, state.users.require(id), muted.get(id) ?? [])),
  )
  for (const [list, same] of alike) change.emit(mutedTopicsChanged(JSON.parse(list)), { users: same })
}

/**
 * Sets a user's policy for a topic at their request. Throws 400 if they have too many muted topics, since each change
 * sends all of them.
 */
export async function chooseVisibility(
  change: Change,
  me: AccountRow,
  place: TopicPlace,
  policy: VisibilityPolicy,
) {
  const isChanged = await setVisibility(change, me, place, policy)
  if (!isChanged || policy !== visibility.muted) return
  const found = firstIn(
    await change.run(sql<{ count: number }>`
    SELECT count(*)::integer AS count FROM user_topic
    WHERE realm_id = ${change.state.id} AND user_id = ${me.id} AND visibility_policy = ${visibility.muted}`),
  )
  if (found.count > topicLimits.mutedTopicsPerUser) throw badRequest('You have muted too many topics.')
}

/** `user_topics` of POST /register. */
export function userTopics(realm: RealmState, me: AccountRow) {
  const all = sql<UserTopicRow>`SELECT * FROM user_topic
    WHERE realm_id = ${realm.id} AND user_id = ${me.id} ORDER BY id`
  return selection(all, (rows) =>
    rows.map((row) => ({
      stream_id: row.channel_id,
      topic_name: row.topic,
      last_updated: row.updated_at,
      visibility_policy: row.visibility_policy,
    })),
  )
}

/** `muted_topics` of POST /register, for clients that do not know user_topics. */
export function mutedTopics(realm: RealmState, me: AccountRow): Selection<MutedTopic[]> {
  return selection(mutedTopicsQuery(realm, [me.id]), (rows) => mutedTopicsView(realm, me, rows))
}

/** A channel's name, a topic, and the time at which it was muted. */
export type MutedTopic = [string, string, number]

/** The topics that these users have muted. */
function mutedTopicsQuery(realm: RealmState, userIds: number[]) {
  return sql<UserTopicRow>`SELECT * FROM user_topic
    WHERE realm_id = ${realm.id} AND user_id = ANY(${userIds}::integer[]) AND visibility_policy = ${visibility.muted}
    ORDER BY id`
}

/** Returns the muted topics in existing channels that the user may still see. They are listed by channel name. */
function mutedTopicsView(realm: RealmState, me: AccountRow, rows: readonly UserTopicRow[]): MutedTopic[] {
  return rows.flatMap((row): MutedTopic[] => {
    const channel = realm.channels.require(row.channel_id)
    const isShown = !channel.is_archived && hasMetadataAccess(realm, me, channel)
    return isShown ? [[channel.name, row.topic, row.updated_at]] : []
  })
}

/** The visibility policy of a user for a topic. */
export type TopicPolicy = Pick<UserTopicRow, 'channel_id' | 'topic' | 'visibility_policy'>

/** Finds all topic policies of a user. */
export function topicPoliciesQuery(realm: RealmState, me: AccountRow) {
  return sql<TopicPolicy>`
    SELECT channel_id, topic, visibility_policy FROM user_topic
    WHERE realm_id = ${realm.id} AND user_id = ${me.id}`
}

/** Tests whether the user has muted a topic or its channel. */
export type Muting = (channelId: number, topic: string) => boolean

/** Returns the test for a user with these topic policies. */
export function mutingOf(realm: RealmState, me: AccountRow, own: readonly TopicPolicy[]): Muting {
  const key = (channelId: number, topic: string) => `${channelId}:${lower(topic)}`
  const policies = new Map(own.map((one) => [key(one.channel_id, one.topic), one.visibility_policy]))
  const muted = new Set<number>()
  for (const { channel_id, is_muted } of realm.subscriptionsOfUser(me.id)) if (is_muted) muted.add(channel_id)
  return (channelId, topic) => {
    const policy = policies.size > 0 ? policies.get(key(channelId, topic)) : undefined
    return isMuted(policy, muted.has(channelId))
  }
}
