import { sql } from 'kysely'
import type { UserTopicRow } from '../../../db/schema.ts'
import { groupBy } from '../../../lib/collections/group-by.ts'
import type { Change } from '../../../log/change.ts'
import { hasContentAccess } from '../../kernel/channels/access.ts'
import { userTopicChanged } from '../../kernel/topics/user_topic.event.ts'
import {
  emitMutedTopics,
  type TopicPlace,
  type VisibilityPolicy,
  visibility,
} from '../../kernel/topics/visibility.ts'

/** By user. */
type Policies = Map<number, VisibilityPolicy>

/**
 * Moves users' policies for a topic along with its messages, when all of them have moved. If the new topic already had
 * messages, the two policies are merged: also for users who have muted only the new topic, and have seen the messages so far.
 * Users who may not read the messages at their new location lose the policy.
 */
export async function moveVisibility(change: Change, from: TopicPlace, to: TopicPlace, toExisted: boolean) {
  const old = await policiesOf(change, from)
  const current = await policiesOf(change, to)
  const wanted = new Map<number, VisibilityPolicy>()
  for (const [userId, there] of toExisted ? current : []) {
    const isSeen = !old.has(userId) && mayFollow(change, userId, from)
    if (there === visibility.muted && isSeen) wanted.set(userId, visibility.none)
  }
  for (const [userId, before] of old) {
    if (!mayFollow(change, userId, to)) continue
    const there = current.get(userId) ?? visibility.none
    const policy = toExisted ? merged(before, there) : before
    if (policy !== there) wanted.set(userId, policy)
  }
  if (old.size + wanted.size === 0) return
  await write(change, from, new Map([...old.keys()].map((userId) => [userId, visibility.none])))
  await write(change, to, wanted)
  await emitMoved(change, from, to, { old, current, wanted })
}

function mayFollow({ state }: Change, userId: number, { channelId }: TopicPlace) {
  const user = state.users.get(userId)
  const channel = state.channels.get(channelId)
  return user !== undefined && channel !== undefined && hasContentAccess(state, user, channel)
}

/**
 * Returns the merged policy. An unmuted topic stays unmuted. Otherwise a topic without a policy stays without one, and
 * of followed and muted, followed wins: visible is safer than hidden.
 */
function merged(a: VisibilityPolicy, b: VisibilityPolicy): VisibilityPolicy {
  if (a === b) return a
  const both = [a, b]
  if (both.includes(visibility.unmuted)) return visibility.unmuted
  return both.includes(visibility.none) ? visibility.none : visibility.followed
}

async function policiesOf(change: Change, { channelId, topic }: TopicPlace) {
  const rows = await change.run(sql<UserTopicRow>`
    SELECT * FROM user_topic WHERE realm_id = ${change.state.id} AND channel_id = ${channelId}
      AND lower(topic) = lower(${topic}::text)`)
  return new Map(rows.map((row) => [row.user_id, row.visibility_policy as VisibilityPolicy]))
}

async function write(
  change: Change,
  { channelId, topic }: TopicPlace,
  policies: Map<number, VisibilityPolicy>,
) {
  if (policies.size === 0) return
  await change.run(sql`
    DELETE FROM user_topic WHERE realm_id = ${change.state.id} AND channel_id = ${channelId}
      AND lower(topic) = lower(${topic}::text) AND user_id = ANY(${[...policies.keys()]}::integer[])`)
  const kept = [...policies].filter(([, policy]) => policy !== visibility.none)
  const place = { channel_id: channelId, topic, updated_at: change.now }
  await change.insertAll(
    'user_topic',
    kept.map(([userId, policy]) => ({ ...place, user_id: userId, visibility_policy: policy })),
  )
}

async function emitMoved(
  change: Change,
  from: TopicPlace,
  to: TopicPlace,
  { old, current, wanted }: { old: Policies; current: Policies; wanted: Policies },
) {
  const users = [...old.keys()]
  if (users.length > 0) {
    change.emit(userTopicChanged(from.channelId, from.topic, visibility.none, change.now), { users })
  }
  const isMuted = (userId: number) => old.get(userId) === visibility.muted
  const isChanged = (userId: number) =>
    isMuted(userId) || [current, wanted].some((there) => there.get(userId) === visibility.muted)
  await emitMutedTopics(change, [...new Set([...users.filter(isMuted), ...wanted.keys()])], isChanged)
  for (const [policy, alike] of groupBy(wanted, ([, policy]) => policy)) {
    const event = userTopicChanged(to.channelId, to.topic, policy, change.now)
    change.emit(event, { users: alike.map(([userId]) => userId) })
  }
}
