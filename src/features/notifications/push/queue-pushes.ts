import { sql } from 'kysely'
import type { Adapters } from '../../../adapters/adapters.ts'
import type { Reader } from '../../../db/database.ts'
import { firstIn, lastIn } from '../../../lib/must.ts'
import type { Site } from '../../../lib/site.ts'
import type { Change } from '../../../log/change.ts'
import type { Audience, ClientEvent } from '../../../log/entry.ts'
import type { RealmLog } from '../../../log/realm-log.ts'
import type { RealmState } from '../../../log/realm-state.ts'
import type { UpdateEvent } from '../../kernel/editing/update_message.event.ts'
import type { FlagsEvent } from '../../kernel/flags/update_message_flags.event.ts'
import { reachableDevices, startPushCursor } from '../../kernel/push/devices.ts'
import { userSetting } from '../../kernel/users/settings.ts'
import { type CallingEdit, usersCalledByEdits } from '../kernel/missed-messages/called-by-edits.ts'
import { missedLimits } from '../kernel/missed-messages/limits.ts'
import { awayFrom, messagesBetween, policiesOf } from '../kernel/missed-messages/record-missed-messages.ts'
import { type Missed, pushSettingNames, usersToNotify } from '../kernel/missed-messages/users-to-notify.ts'
import { pushLimits } from './limits.ts'
import { queueNotifications } from './outbox.ts'
import { withdrawInvisible, withdrawRead, withdrawUncalled } from './withdraw.ts'

/** The dependencies of this module. */
type Dependencies = { log: RealmLog; read: Reader; site: Site; adapters: Adapters }

type Heard = { id: number; type: string; audience: Audience; event: ClientEvent }

/**
 * Scans the next part of an organization's log for push notifications: messages that users want to be notified of, and
 * the reading or deletion of such messages. Sending a message costs nothing more because of this. Each entry is scanned
 * once, on any node. Returns whether there may be more.
 */
export async function queuePushes(dependencies: Dependencies): Promise<boolean> {
  const { log, read, site } = dependencies
  await log.catchUp()
  const { position: head } = log.state
  const from = await positionOf(read, log.state)
  if (from === undefined) {
    await log.commit(startPushCursor)
    return false
  }
  if (head <= from) return false
  const entries = await entriesBetween(read, log.state, from, head, site.clock())
  const isAll = entries.length < missedLimits.missedBatch
  const missed = await missedIn(dependencies, entries)
  await log.commit(async (change) => {
    if (change.state.pushDevices.size === 0) return stopLooking(change)
    if (!(await moveOn(change, from, isAll ? head : lastIn(entries).id))) return
    await note(change, dependencies.adapters, missed)
    await withdrawRead(change, dependencies.adapters, readersIn(entries))
    await withdrawInvisible(change, dependencies.adapters, goneIn(entries))
    await withdrawUncalled(change, dependencies.adapters, callingFewer(entries))
  })
  return !isAll
}

async function positionOf(read: Reader, realm: RealmState): Promise<number | undefined> {
  const row = await read
    .selectFrom('push_position')
    .where('realm_id', '=', realm.id)
    .select('event_id')
    .executeTakeFirst()
  return row?.event_id
}

function entriesBetween(read: Reader, realm: RealmState, from: number, to: number, now: number) {
  const types = ['message', 'update_message_flags', 'delete_message', 'update_message']
  return read.rows<Heard>(sql`
    SELECT id, type, audience, event FROM event_log
    WHERE realm_id = ${realm.id} AND id > ${from} AND id <= ${to} AND type = ANY(${types}::text[])
      AND (type <> 'update_message' OR event ? 'callsFewer'
        OR event ? 'called' AND created_at > ${now - missedLimits.missedSeconds})
    ORDER BY id LIMIT ${missedLimits.missedBatch}`)
}

/** Returns the users to notify for each message among these entries. */
async function missedIn({ log, read, site, adapters }: Dependencies, entries: Heard[]): Promise<Missed[]> {
  const { state } = log
  const isAway = awayFrom(state, site)
  const isInQuestion = (userId: number) => {
    if (reachableDevices(state, userId, adapters).length === 0) return false
    return isAway(userId) || userSetting(state.users.require(userId), 'enable_online_push_notifications')
  }
  const called = await usersCalledByEdits(read, state, editsIn(entries), pushSettingNames, isInQuestion)
  const ids = entries.flatMap(({ audience }) => audience?.message?.id ?? [])
  if (ids.length === 0) return called
  const messages = await messagesBetween(read, state, firstIn(ids) - 1, lastIn(ids), site.clock())
  const policies = await policiesOf(read, state, messages)
  const missed = messages.flatMap((message) =>
    usersToNotify(state, message, policies, pushSettingNames, isInQuestion),
  )
  return [...missed, ...called]
}

/** Returns the edits that call users. */
function editsIn(entries: Heard[]): CallingEdit[] {
  return editsAmong(entries).flatMap(({ message_id, called }) => (called ? [{ message_id, called }] : []))
}

/** Returns the messages that no longer call all users whom they called. */
function callingFewer(entries: Heard[]): number[] {
  return editsAmong(entries).flatMap(({ message_id, callsFewer }) => (callsFewer ? [message_id] : []))
}

function editsAmong(entries: Heard[]): UpdateEvent[] {
  return entries.flatMap(({ event }) => (event.type === 'update_message' ? [event] : []))
}

/** Returns the users who have read messages. */
function readersIn(entries: Heard[]): number[] {
  const read = entries.filter(({ type, event }) => {
    return type === 'update_message_flags' && isReading(event as FlagsEvent)
  })
  return [...new Set(read.flatMap(({ audience }) => audience.users ?? []))]
}

function isReading({ op, flag }: FlagsEvent) {
  return op === 'add' && flag === 'read'
}

/** Returns the messages that were deleted, or moved to where some users cannot follow. */
function goneIn(entries: Heard[]): number[] {
  const gone = entries.filter(({ type }) => type === 'delete_message')
  return gone.flatMap(({ event }) => (event as ClientEvent & { message_ids: number[] }).message_ids)
}

function stopLooking(change: Change) {
  return change.run(sql`DELETE FROM push_position WHERE realm_id = ${change.state.id}`)
}

/** Returns false if another node has scanned these entries already. */
async function moveOn(change: Change, from: number, to: number): Promise<boolean> {
  const moved = await change.run(sql`
    UPDATE push_position SET event_id = ${to} WHERE realm_id = ${change.state.id} AND event_id = ${from}
    RETURNING 1 AS one`)
  return moved.length > 0
}

/** Queues a notification for each, unless the user has one of the same message: an edit may call whom the search has found already. */
async function note(change: Change, adapters: Adapters, missed: Missed[]) {
  const { state, now } = change
  if (missed.length === 0) return
  const added = await change.run(sql<Omit<Missed, 'reason'>>`
    INSERT INTO push_shown (realm_id, user_id, message_id, created_at)
    SELECT ${state.id}, x."userId", x."messageId", ${now}
    FROM json_to_recordset(${JSON.stringify(missed)}::json) AS x("userId" integer, "messageId" bigint)
    ON CONFLICT DO NOTHING RETURNING user_id AS "userId", message_id AS "messageId"`)
  const left = new Set(added.map(keyOf))
  const fresh = missed.filter((one) => left.delete(keyOf(one)))
  const notifications = fresh.flatMap(({ userId, messageId, reason }) =>
    reachableDevices(state, userId, adapters).map((device) => {
      return { device, kind: 'message' as const, reason, messageIds: [messageId] }
    }),
  )
  await queueNotifications(change, notifications)
  await change.run(sql`
    DELETE FROM push_shown WHERE realm_id = ${state.id} AND created_at < ${now - pushLimits.pushShownSeconds}`)
}

function keyOf({ userId, messageId }: Omit<Missed, 'reason'>) {
  return `${userId} ${messageId}`
}
