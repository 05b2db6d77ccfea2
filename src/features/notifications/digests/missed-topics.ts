import { sql } from 'kysely'
import type { Reader } from '../../../db/database.ts'
import type { AccountRow } from '../../../db/schema.ts'
import type { RealmState } from '../../../log/realm-state.ts'
import { isMuted } from '../../kernel/topics/is-muted.ts'
import type { BusyTopic, BusyTopics } from './busy-topics.ts'
import { digestLimits } from './limits.ts'
import { viewsOf } from './week-views.ts'

type Candidate = { user: AccountRow; topic: BusyTopic }
type OfReader = { number: number; policy: number | null; is_read: boolean }

/**
 * Returns for each reader the topics with the most messages since the beginning of the week, except those that they have
 * muted, or read up to the newest message.
 */
export async function missedTopics(
  read: Reader,
  realm: RealmState,
  readers: AccountRow[],
  { busy, since }: { busy: BusyTopics; since: number },
): Promise<Map<number, BusyTopic[]>> {
  const views = readers.map((user) => ({ user, views: viewsOf(realm, user, since) }))
  await busy.count(views.flatMap((one) => one.views))
  const candidates = views.flatMap(({ user, views }) =>
    busy
      .of(views)
      .slice(0, digestLimits.digestTopicsLookedAt)
      .map((topic) => ({ user, topic })),
  )
  const found = new Map(readers.map(({ id }) => [id, [] as BusyTopic[]]))
  for (const { number, policy, is_read } of await relationsTo(read, realm, candidates)) {
    const { user, topic } = candidates[number]!
    const topics = found.get(user.id)!
    const isChannelMuted = realm.subscription(user.id, topic.channelId)?.is_muted ?? false
    if (is_read || isMuted(policy ?? undefined, isChannelMuted)) continue
    if (topics.length < digestLimits.digestTopics) topics.push(topic)
  }
  return found
}

/** Returns what readers want of topics, and whether they have read them, in the order of the candidates. */
async function relationsTo(read: Reader, realm: RealmState, candidates: Candidate[]): Promise<OfReader[]> {
  if (candidates.length === 0) return []
  const asked = candidates.map(({ user, topic: { channelId, recipient, topic, newest } }, number) => {
    return { number, user_id: user.id, channel_id: channelId, recipient_id: recipient, topic, newest }
  })
  return read.rows<OfReader>(sql`
    SELECT c.number, u.visibility_policy AS policy, coalesce(s.read @> c.newest, false) AS is_read
    FROM json_to_recordset(${JSON.stringify(asked)}::json) AS c(number integer, user_id integer,
      channel_id integer, recipient_id integer, topic text, newest bigint)
    LEFT JOIN user_topic u ON u.realm_id = ${realm.id} AND u.user_id = c.user_id
      AND u.channel_id = c.channel_id AND lower(u.topic) = c.topic
    LEFT JOIN read_state s ON s.realm_id = ${realm.id} AND s.user_id = c.user_id AND s.recipient_id = c.recipient_id
    ORDER BY c.number`)
}
