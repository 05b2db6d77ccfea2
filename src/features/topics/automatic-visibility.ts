import { sql } from 'kysely'
import type { Reader } from '../../db/database.ts'
import type { AccountRow, ChannelRow } from '../../db/schema.ts'
import type { Commit } from '../../log/realm-log.ts'
import type { RealmState } from '../../log/realm-state.ts'
import { userSettings } from '../users/settings.ts'
import { setVisibility, visibility } from './visibility.ts'

/** When a person's own message makes them follow or unmute its topic; from 4 on, never. */
const always = 2 // 1 "when I participate" and 2 "when I send"
const whenItBegins = 3

type Sending = { realm: RealmState; me: AccountRow; read: Reader; commit: Commit }

/**
 * Follows or unmutes the topic of a message about to be sent, if its sender's settings say so; answers the new policy.
 * Such settings only ever make a topic more visible.
 */
export async function changeVisibilityOnSend(
  { realm, me, read, commit }: Sending,
  channel: ChannelRow,
  topic: string,
) {
  if (me.bot_type !== null) return undefined
  const settings = userSettings(me)
  const follow = settings.automatically_follow_topics_policy
  const isMuted = realm.subscription(me.id, channel.id)?.is_muted ?? false
  const unmute = isMuted ? settings.automatically_unmute_topics_in_muted_streams_policy : whenItBegins + 1
  if (Math.min(follow, unmute) > whenItBegins) return undefined
  const reach =
    Math.min(follow, unmute) <= always || !(await topicExists(realm, read, channel, topic))
      ? whenItBegins
      : always
  const wanted = follow <= reach ? visibility.followed : unmute <= reach ? visibility.unmuted : undefined
  if (!wanted) return undefined
  const current = await policyOf(read, realm, me, channel, topic)
  if (current === wanted || current === visibility.followed) return undefined
  await commit((change) => setVisibility(change, me, channel.id, topic, wanted))
  return wanted
}

async function policyOf(read: Reader, realm: RealmState, me: AccountRow, channel: ChannelRow, topic: string) {
  const row = await read
    .selectFrom('user_topic')
    .where('realm_id', '=', realm.id)
    .where('user_id', '=', me.id)
    .where('channel_id', '=', channel.id)
    .where(sql<string>`lower(topic)`, '=', sql<string>`lower(${topic}::text)`)
    .select('visibility_policy')
    .executeTakeFirst()
  return row?.visibility_policy
}

const maxKnown = 100_000

/** Topics that are known to have messages, so that only the first send to one asks the database. */
const knownTopics = new WeakMap<RealmState, Set<string>>()

async function topicExists(realm: RealmState, read: Reader, channel: ChannelRow, topic: string) {
  const known = knownTopics.get(realm) ?? new Set()
  knownTopics.set(realm, known)
  const key = `${channel.recipient_id}:${topic.toLowerCase()}`
  if (known.has(key)) return true
  const [found] = await read.rows<{ one: number }>(sql`
    SELECT 1 AS one FROM message WHERE realm_id = ${realm.id} AND recipient_id = ${channel.recipient_id}
    AND lower(topic) = lower(${topic}::text) LIMIT 1`)
  // After this message it exists either way.
  if (known.size >= maxKnown) known.clear()
  known.add(key)
  return found !== undefined
}
