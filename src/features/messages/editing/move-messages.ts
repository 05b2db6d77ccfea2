import { sql } from 'kysely'
import type { MessageRow } from '../../../db/schema.ts'
import { ApiError } from '../../../lib/api-error.ts'
import { firstIn, lastIn } from '../../../lib/must.ts'
import type { Change } from '../../../log/change.ts'
import type { RealmState } from '../../../log/realm-state.ts'
import { visibleIn, visibleSql } from '../../kernel/messages/access.ts'
import { moveOutLimit, renameLimit } from '../kernel/editing/access.ts'
import { editAccessLimits } from '../kernel/editing/limits.ts'
import type { AttachmentView } from '../kernel/uploads/uploads.ts'
import { editMessages, type NewText } from './edit-messages.ts'
import { targetNow } from './edited-message.ts'
import { postMoveNotices, takeVisibilityAlong } from './follow-move.ts'
import { editLimits } from './limits.ts'
import { type Move, type Mover, planMessageUpdate } from './plan-update.ts'

/** The messages that move: those of the topic between two ids, both included, that the mover may read. */
type Range = { from: number; through: number }

/**
 * Moves a message, or a message with its group, in steps, and then posts the notices. Returns the mover's own uploads
 * that no message links to any more. Throws the first reason against the move.
 */
export async function moveMessages(
  context: Mover,
  checked: MessageRow,
  planned: Move,
  text: NewText | undefined,
): Promise<AttachmentView[]> {
  const { me, commit } = context
  await checkAgeOfAll(context, planned)
  let [target, move, hadMessages] = [checked, planned, false]
  const range: Range = { from: move.mode === 'change_all' ? 0 : target.id, through: target.id }
  const detached: AttachmentView[] = []
  let count = 0
  for (let isFirst = true; ; isFirst = false) {
    const step = await commit(async (change) => {
      if (isFirst) {
        ;({ target, move } = await checkAgain(change, context, checked))
        hadMessages = await hasMessages(change, move.to)
        if (move.mode !== 'change_one') range.through = change.lastMessageId
      }
      const size = stepSize(change.state, move)
      const { ids, isEnd } = await nextIds(change, context, move, range, size)
      const isLast = isEnd || lastIn(ids) >= range.through
      const edited = ids.length > 0 ? await editMessages(change, { me, ids, target, text, move }) : undefined
      const isWhole = isLast && (await takeVisibilityAlong(change, me, move, hadMessages))
      await edited?.emit()
      detached.push(...(edited?.detached ?? []))
      return { ids, isLast, isWhole }
    })
    count += step.ids.length
    if (step.isLast) {
      await postMoveNotices(context, { target: target.id, move, count, hadMessages, ...step })
      return detached
    }
    range.from = lastIn(step.ids) + 1
  }
}

/** Returns the message and its move as they are now. Throws if it may no longer move, or has moved since the check. */
async function checkAgain(change: Change, { me, params }: Mover, checked: MessageRow) {
  const target = await targetNow(change, me, checked.id)
  const { move } = planMessageUpdate(change.state, me, target, params, change.now)
  if (target.recipient_id !== checked.recipient_id || !move || target.topic !== checked.topic) {
    throw movedMeanwhile()
  }
  return { target, move }
}

export function movedMeanwhile() {
  return new ApiError('The message has been moved meanwhile.')
}

/**
 * Returns the number of messages per step. Each step locks the log only for a short time. A move between channels also
 * moves the read state of every subscriber of the new channel, so more subscribers mean fewer messages per step.
 */
function stepSize(realm: RealmState, { from, to }: Move) {
  if (from.channel.id === to.channel.id) return editLimits.editBatch
  const readers = Math.max(1, realm.subscriptionsOfChannel(to.channel.id).size)
  const size = Math.floor(editLimits.editBatchReads / readers)
  return Math.min(editLimits.editBatch, Math.max(editLimits.editBatchSmallest, size))
}

/** The next messages that move: at most `limit`, and fewer if their texts are long, as all of the text is indexed again. */
async function nextIds(
  change: Change,
  { me }: Mover,
  { from }: Move,
  range: Range,
  limit: number,
): Promise<{ ids: number[]; isEnd: boolean }> {
  const recipient = from.channel.recipient_id
  const rows = await change.run(sql<{ id: number; before: number }>`
    SELECT m.id, (sum(octet_length(m.content)) OVER (ORDER BY m.id) - octet_length(m.content))::integer AS before
    FROM message m WHERE m.realm_id = ${change.state.id} AND m.recipient_id = ${recipient}
      AND lower(m.topic) = lower(${from.topic}::text) AND m.id BETWEEN ${range.from} AND ${range.through}
      AND ${visibleSql(visibleIn(change.state, me, [recipient]))}
    ORDER BY m.id LIMIT ${limit}`)
  const ids = rows.filter(({ before }) => before < editLimits.editBatchBytes).map((row) => row.id)
  return { ids, isEnd: rows.length < limit && ids.length === rows.length }
}

async function hasMessages(change: Change, { channel, topic }: Move['to']) {
  const [found] = await change.run(sql`
    SELECT FROM message WHERE realm_id = ${change.state.id} AND recipient_id = ${channel.recipient_id}
      AND lower(topic) = lower(${topic}::text) LIMIT 1`)
  return found !== undefined
}

/**
 * Throws unless every message of a topic that moves as a whole is young enough. The error data say which messages of
 * the topic the user may move.
 */
async function checkAgeOfAll({ realm, me, read, site }: Mover, move: Move) {
  if (move.mode !== 'change_all') return
  const allowed = [
    move.changesTopic && !move.resolution ? renameLimit(realm, me) : null,
    move.changesChannel ? moveOutLimit(realm, me) : null,
  ].filter((limit) => limit !== null)
  if (allowed.length === 0) return
  const limit = Math.min(...allowed)
  const recipient = move.from.channel.recipient_id
  const oldest = site.clock() - limit - editAccessLimits.editGraceSeconds
  const found = firstIn(
    await read.rows(sql<{ all: number; young: number; first: number | null }>`
    SELECT count(*) AS all, count(*) FILTER (WHERE m.sent_at >= ${oldest}) AS young,
      min(m.id) FILTER (WHERE m.sent_at >= ${oldest}) AS first
    FROM message m WHERE m.realm_id = ${realm.id} AND m.recipient_id = ${recipient}
      AND lower(m.topic) = lower(${move.from.topic}::text) AND ${visibleSql(visibleIn(realm, me, [recipient]))}`),
  )
  const { all, young, first } = found
  if (all === young) return
  throw new ApiError(
    `You only have permission to move the ${young}/${all} most recent messages in this topic.`,
    'MOVE_MESSAGES_TIME_LIMIT_EXCEEDED',
    400,
    {
      first_message_id_allowed_to_move: first,
      total_messages_in_topic: all,
      total_messages_allowed_to_move: young,
    },
  )
}
