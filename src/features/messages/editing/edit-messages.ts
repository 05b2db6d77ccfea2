import { sql } from 'kysely'
import type { AccountRow, MessageRow } from '../../../db/schema.ts'
import { scheduleJob } from '../../../jobs/job.ts'
import { firstIn } from '../../../lib/must.ts'
import type { Change } from '../../../log/change.ts'
import { linkPreviewStart } from '../../../markdown/render.ts'
import { messagesMovedAway } from '../../kernel/editing/delete_message.event.ts'
import { calledByEditJob } from '../../kernel/editing/job-kind.ts'
import { bodyOf, bodyQuery, type UpdateEvent } from '../../kernel/editing/update_message.event.ts'
import { carryRead, type NoLongerUnread } from '../../kernel/flags/read-for-many.ts'
import { messagesRead } from '../../kernel/flags/update_message_flags.event.ts'
import { linkPreviewJob } from '../../kernel/link-previews/job-kind.ts'
import { mayRead } from '../../kernel/messages/access.ts'
import { type TextColumns, textAssignments } from '../../kernel/messages/columns.ts'
import { audienceOfAll } from '../kernel/editing/audience.ts'
import { emitMessagesDeleted } from '../kernel/editing/emit-messages-deleted.ts'
import { relinkUploads } from '../kernel/uploads/links.ts'
import type { AttachmentView } from '../kernel/uploads/uploads.ts'
import { type CallsOfEdit, callsOfEdit } from './calls-of-edit.ts'
import type { Move } from './plan-update.ts'

/** The text of a message with everything derived from it. */
export type NewText = TextColumns & {
  mentioned: number[]
  alerted: number[]
  uploads: string[]
  hasUnreadPages: boolean
}

/** A batch of edits to messages of one topic. */
type Editing = {
  me: AccountRow
  /** In ascending order. */
  ids: number[]
  /** The requested message before the change. If the text changes, it is the text of this message. */
  target: MessageRow
  text?: NewText | undefined
  move?: Move | undefined
}

/**
 * `emit` emits the events of the edits. `detached` lists the editor's own uploads that no message links to any more.
 */
type Edited = { emit: () => Promise<void>; detached: AttachmentView[] }

/** Writes edits. The caller has checked everything, and the ids have not moved since. */
export async function editMessages(change: Change, editing: Editing): Promise<Edited> {
  const { ids, target, text, move } = editing
  const audienceBefore = await audienceOfAll(change, target.recipient_id, ids)
  const gained = newReaders(change, editing)
  if (move) await writeMove(change, editing, move)
  const isTargetIn = ids.includes(target.id)
  const edit = text && isTargetIn ? await writeText(change, editing, text) : undefined
  const detached = edit === undefined ? [] : await relink(change, editing, text!)
  const unreadNoMore = move ? await changeChannel(change, editing, move) : []
  const first = isTargetIn ? target.id : firstIn(ids)
  const row = firstIn(await change.run(bodyQuery(change.state.id, [first])))
  const emit = async () => {
    const event = updateEvent(change, editing, first, edit)
    change.emit(
      event,
      { ...audienceBefore, subscribed: [...audienceBefore.subscribed, ...gained] },
      bodyOf(row),
    )
    if (move?.changesChannel) {
      const to = move.to.channel.recipient_id
      await emitMessagesDeleted(
        change,
        messagesMovedAway(target.recipient_id, move.from.topic, ids, to),
        audienceBefore,
      )
    }
    for (const { userId, messages } of unreadNoMore) change.emit(messagesRead(messages), { users: [userId] })
  }
  return { emit, detached }
}

/**
 * Returns the current subscribers of another channel, to which messages are moved. They gain messages that they never received. As
 * at the reference server, those that come out of a protected history show in a channel with an open one when it is read again.
 */
function newReaders({ lastMessageId }: Change, { move }: Editing) {
  if (!move?.changesChannel) return []
  const { from, to } = move
  const isTold = from.channel.history_public_to_subscribers || !to.channel.history_public_to_subscribers
  return isTold ? [{ recipient: to.channel.recipient_id, at: [lastMessageId + 1] }] : []
}

/** Moves the read state of the messages to the other channel. */
async function changeChannel(
  change: Change,
  { target, ids }: Editing,
  move: Move,
): Promise<NoLongerUnread[]> {
  const [from, to] = [target.recipient_id, move.to.channel.recipient_id]
  if (from === to) return []
  await change.noteBounds(from)
  await change.noteBounds(to)
  await dropFlags(change, to, ids)
  return carryRead(change, from, to, ids)
}

/** Removes the stars of users who cannot follow a message. */
async function dropFlags(change: Change, to: number, ids: number[]) {
  const flags = await change.run(sql<{ user_id: number; message_id: number; flag: string }>`
    SELECT user_id, message_id, flag FROM message_flag
    WHERE realm_id = ${change.state.id} AND message_id = ANY(${ids}::bigint[])`)
  const lost = flags.filter(({ user_id, message_id }) => {
    const user = change.state.users.get(user_id)
    return !user || !mayRead(change.state, user, { id: message_id, recipient_id: to })
  })
  await change.deleteAll('message_flag', lost)
}

/**
 * Writes the move. Each message records its own previous topic, because the letter case may differ between messages.
 */
async function writeMove(change: Change, { me, ids }: Editing, move: Move) {
  const { from, to, changesChannel, changesTopic, resolution } = move
  const channel = changesChannel ? { channel: [from.channel.id, to.channel.id] } : {}
  const entry = JSON.stringify({ user_id: me.id, at: change.now, ...channel })
  const topic = changesTopic ? sql`${to.topic}::text` : sql`m.topic`
  const topics = sql`jsonb_build_object('topic', jsonb_build_array(m.topic, ${to.topic}::text))`
  const movedAt = resolution && !changesChannel ? sql`m.last_moved_at` : sql`${change.now}`
  const moved = await change.run(sql<{ id: number; sender_id: number }>`
    UPDATE message m SET recipient_id = ${to.channel.recipient_id}, topic = ${topic}, last_moved_at = ${movedAt},
      edit_history = jsonb_build_array(${entry}::jsonb || ${changesTopic ? topics : sql`'{}'`})
        || coalesce(m.edit_history, '[]')
    WHERE m.realm_id = ${change.state.id} AND m.id = ANY(${ids}::bigint[]) RETURNING m.id, m.sender_id`)
  noteMove(change, move, ids, [...new Set(moved.map((row) => row.sender_id))])
}

/**
 * Notes in the audit log that a user has moved messages of others, which notices of the server are not. Marking a topic as resolved
 * moves nothing. Owners read the log, so it does not name topics of private channels.
 */
function noteMove(
  change: Change,
  { from, to, resolution, changesChannel }: Move,
  ids: number[],
  senders: number[],
) {
  if (resolution && !changesChannel) return
  change.note({
    kind: 'message.move',
    object: 'channel',
    objectId: from.channel.id,
    details: {
      message_ids: ids,
      sender_ids: senders,
      ...(!from.channel.is_private && { from_topic: from.topic }),
      to_channel_id: to.channel.id,
      ...(!to.channel.is_private && { to_topic: to.topic }),
    },
    owners: senders.filter((id) => !change.state.users.get(id)?.is_system_bot),
  })
}

/** `number`: that of this edit of the message, counted from 1. */
type TextEdit = { number: number; calls: CallsOfEdit }

/** Writes the new text. */
async function writeText(change: Change, { me, target, move }: Editing, text: NewText): Promise<TextEdit> {
  const calls = await callsOfEdit(change, target, text)
  // Previews of linked pages are no part of the text.
  const rendered = sql`split_part(rendered_content, ${linkPreviewStart}, 1)`
  const before = sql`jsonb_build_object('content', content, 'rendered', ${rendered})`
  const entry = JSON.stringify({ user_id: me.id, at: change.now })
  // A move in the same request counts as the same edit.
  const history = move
    ? sql`jsonb_set(edit_history, '{0}', (edit_history -> 0) || ${before})`
    : sql`jsonb_build_array(${entry}::jsonb || ${before}) || coalesce(edit_history, '[]')`
  const row = firstIn(
    await change.run<{ count: number }>(sql`
    UPDATE message SET ${textAssignments(text)},
      last_edited_at = ${change.now}, edit_history = ${history}
    WHERE realm_id = ${change.state.id} AND id = ${target.id}
    RETURNING jsonb_array_length(edit_history) AS count`),
  )
  await setFlag(change, target.id, 'mentioned', text.mentioned)
  await setFlag(change, target.id, 'has_alert_word', text.alerted)
  if (text.hasUnreadPages) await scheduleJob(change, linkPreviewJob, target.id, change.now)
  if (calls.called) await scheduleJob(change, calledByEditJob, change.state.position, change.now)
  return { number: row.count, calls }
}

function relink(change: Change, { me, target }: Editing, { rendered_content, uploads }: NewText) {
  if (uploads.length === 0 && !target.has_attachment) return []
  return relinkUploads(change, me, { id: target.id, sent_at: target.sent_at, rendered_content }, uploads)
}

/** Sets a flag for exactly these users. */
async function setFlag(change: Change, id: number, flag: string, userIds: number[]) {
  const realmId = change.state.id
  await change.run(sql`
    DELETE FROM message_flag WHERE realm_id = ${realmId} AND message_id = ${id} AND flag = ${flag}
      AND user_id <> ALL(${userIds}::integer[])`)
  if (userIds.length === 0) return
  await change.run(sql`
    INSERT INTO message_flag (realm_id, user_id, message_id, flag)
    SELECT ${realmId}, unnest(${userIds}::integer[]), ${id}, ${flag} ON CONFLICT DO NOTHING`)
}

function updateEvent(
  change: Change,
  { me, ids, target, move }: Editing,
  first: number,
  edit: TextEdit | undefined,
): UpdateEvent {
  return {
    type: 'update_message',
    user_id: me.id,
    edit_timestamp: change.now,
    message_id: first,
    message_ids: ids,
    recipient: target.recipient_id,
    ...(edit && { edit: edit.number, ...edit.calls }),
    ...(move && {
      move: {
        propagate_mode: move.mode,
        from_topic: move.from.topic,
        ...(move.changesTopic && { to_topic: move.to.topic }),
        ...(move.changesChannel && { to_recipient: move.to.channel.recipient_id }),
      },
    }),
  }
}
