import { type RawBuilder, sql } from 'kysely'
import type { Reader } from '../../../../db/database.ts'
import type { AccountRow, UserTopicRow } from '../../../../db/schema.ts'
import { scheduleMissingJobs } from '../../../../jobs/job.ts'
import { groupBy } from '../../../../lib/collections/group-by.ts'
import { lastIn } from '../../../../lib/must.ts'
import type { Site } from '../../../../lib/site.ts'
import type { Change } from '../../../../log/change.ts'
import type { RealmLog } from '../../../../log/realm-log.ts'
import type { RealmState } from '../../../../log/realm-state.ts'
import { systemBots } from '../../../kernel/settings/system-bots.ts'
import { allBots } from '../../../kernel/users/bots.ts'
import { userSetting } from '../../../kernel/users/settings.ts'
import { missedLimits } from './limits.ts'
import {
  byMail,
  type Missed,
  type NotifiableMessage,
  type TopicPolicies,
  usersToNotify,
} from './users-to-notify.ts'

/** The kind of the jobs that mail missed messages. Their subject is the user. */
export const missedMailJob = 'missed messages'

/**
 * Scans the next messages of an organization for recipients who are away, records them, and schedules a mail after the
 * waiting time that each recipient has set. Returns whether there may be more messages.
 */
export async function recordMissedMessages(log: RealmLog, read: Reader, site: Site): Promise<boolean> {
  const { state } = log
  const head = state.lastMessageId
  const position = await positionOf(read, state)
  if (head <= position) return false
  const messages = await messagesBetween(read, state, position, head, site.clock())
  const isAll = messages.length < missedLimits.missedBatch
  const policies = await policiesOf(read, state, messages)
  const isAway = awayFrom(state, site)
  const missed = messages.flatMap((message) => usersToNotify(state, message, policies, byMail, isAway))
  await log.commit(async (change) => {
    if (await moveOn(change, position, isAll ? head : lastIn(messages).id)) await noteMissed(change, missed)
  })
  return !isAll
}

/**
 * Returns the test whether a user has not been active of late. A time in the future is one that a clock showed before it was set
 * back.
 */
export function awayFrom({ presence }: RealmState, { clock }: Site) {
  const now = clock()
  return (userId: number) =>
    Math.abs(now - (presence.of(userId)?.active ?? 0)) > missedLimits.missedAwaySeconds
}

async function positionOf(read: Reader, realm: RealmState): Promise<number> {
  const row = await read
    .selectFrom('missed_position')
    .where('realm_id', '=', realm.id)
    .select('message_id')
    .executeTakeFirst()
  return row?.message_id ?? 0
}

/**
 * Selects the messages to scan. Messages older than an hour are skipped, because mail may have been set up after them.
 * Messages of the Welcome Bot are skipped, because their recipients are present.
 */
export function messagesBetween(read: Reader, realm: RealmState, after: number, upTo: number, now: number) {
  const greeter = allBots(realm).find((bot) => bot.is_system_bot && isGreeter(bot))
  return notifiableMessages(
    read,
    realm,
    sql`m.id > ${after} AND m.id <= ${upTo}
      AND m.sent_at > ${now - missedLimits.missedSeconds} AND m.sender_id <> ${greeter?.id ?? 0}`,
  )
}

/** Selects the messages `m` of a condition. */
export function notifiableMessages(
  read: Pick<Reader, 'rows'>,
  realm: RealmState,
  condition: RawBuilder<unknown>,
) {
  return read.rows<NotifiableMessage>(sql`
    SELECT m.id, m.recipient_id, m.sender_id, m.topic, m.mentions_channel,
      array(SELECT f.user_id FROM message_flag f
        WHERE f.realm_id = m.realm_id AND f.message_id = m.id AND f.flag = 'mentioned') AS mentioned,
      coalesce(m.topic_mentioned, '{}') AS participants
    FROM message m WHERE m.realm_id = ${realm.id} AND ${condition}
    ORDER BY m.id LIMIT ${missedLimits.missedBatch}`)
}

function isGreeter({ delivery_email }: AccountRow) {
  return delivery_email === systemBots.welcome.email
}

/**
 * Returns the users' visibility policies of the topics of these messages. The database compares the names, because
 * JavaScript has other lower-case forms than it (of İ, and of Σ at the end of a word).
 */
export async function policiesOf(
  read: Pick<Reader, 'rows'>,
  realm: RealmState,
  messages: NotifiableMessage[],
): Promise<TopicPolicies> {
  const channels = new Set(
    messages.map((message) => realm.recipients.get(message.recipient_id)?.channel_id ?? 0),
  )
  const topics = new Set(messages.map((message) => message.topic))
  const rows = await read.rows<
    Pick<UserTopicRow, 'user_id' | 'channel_id' | 'topic' | 'visibility_policy'>
  >(sql`
    SELECT u.user_id, u.channel_id, asked.topic, u.visibility_policy
    FROM unnest(${[...topics]}::text[]) AS asked (topic)
      JOIN user_topic u ON u.realm_id = ${realm.id} AND u.channel_id = ANY(${[...channels]}::integer[])
        AND lower(u.topic) = lower(asked.topic)`)
  const byTopic = groupBy(rows, (row) => `${row.channel_id}:${row.topic}`)
  return {
    of: (channelId, topic) =>
      new Map(
        (byTopic.get(`${channelId}:${topic}`) ?? []).map((row) => [row.user_id, row.visibility_policy]),
      ),
  }
}

/** Returns false if another node has scanned these messages already. */
async function moveOn(change: Change, from: number, to: number): Promise<boolean> {
  const moved = await change.run(sql`
    INSERT INTO missed_position AS p (realm_id, message_id) VALUES (${change.state.id}, ${to})
    ON CONFLICT (realm_id) DO UPDATE SET message_id = ${to} WHERE p.message_id = ${from} RETURNING 1 AS one`)
  return moved.length > 0
}

/** Records that users miss messages, and schedules the mails about them. */
export async function noteMissed(change: Change, missed: Missed[]) {
  const { id, users } = change.state
  if (missed.length === 0) return
  await change.run(sql`
    INSERT INTO missed_message (realm_id, user_id, message_id, reason)
    SELECT ${id}, x."userId", x."messageId", x.reason
    FROM json_to_recordset(${JSON.stringify(missed)}::json) AS x("userId" integer, "messageId" bigint, reason text)
    ON CONFLICT DO NOTHING`)
  const people = [...new Set(missed.map(({ userId }) => userId))].flatMap((userId) => users.get(userId) ?? [])
  const jobs = people.map((user) => ({ subjectId: user.id, dueAt: change.now + patienceOf(user) }))
  await scheduleMissingJobs(change, missedMailJob, jobs)
}

/** Returns how long messages are gathered before they are mailed to the user, in seconds. */
function patienceOf(user: AccountRow): number {
  return userSetting(user, 'email_notifications_batching_period_seconds')
}
