import { sql } from 'kysely'
import type { AccountRow, MessageRow } from '../../../db/schema.ts'
import { realmUrl } from '../../../lib/site.ts'
import type { Change } from '../../../log/change.ts'
import { render } from '../../../markdown/render.ts'
import { moveVisibility } from '../../channels/topics/move-visibility.ts'
import { newestInTopics } from '../../channels/topics/newest-in-topics.ts'
import { visibleIn, visibleSql } from '../../kernel/messages/access.ts'
import { noticeLookup } from '../../kernel/messages/markdown-lookup.ts'
import {
  markLeftAsRead,
  type Notice,
  notificationBot,
  postNotice,
  subscribersNow,
} from '../../kernel/messages/post-notice.ts'
import { visibility } from '../../kernel/topics/visibility.ts'
import { userSetting } from '../../kernel/users/settings.ts'
import { removeMessages } from '../kernel/editing/remove-messages.ts'
import { editLimits } from './limits.ts'
import { type Moved, moveNotices, resolutionNotice } from './move-notices.ts'
import type { Move, Mover } from './plan-update.ts'

/**
 * Moves the users' visibility policies along if the mover can see no messages left in the old topic. Returns whether
 * this is the case. `hadMessages`: the new topic had messages before the move.
 */
export async function takeVisibilityAlong(
  change: Change,
  me: AccountRow,
  { from, to }: Move,
  hadMessages: boolean,
): Promise<boolean> {
  const recipient = from.channel.recipient_id
  const [left] = await change.run(sql`
    SELECT FROM message m WHERE m.realm_id = ${change.state.id} AND m.recipient_id = ${recipient}
      AND lower(m.topic) = lower(${from.topic}::text) AND ${visibleSql(visibleIn(change.state, me, [recipient]))}
    LIMIT 1`)
  if (left) return false
  await moveVisibility(change, topicPlaceOf(from), topicPlaceOf(to), hadMessages)
  return true
}

function topicPlaceOf({ channel, topic }: Move['to']) {
  return { channelId: channel.id, topic }
}

/** Posts the requested notices about the move in both topics, and the notice that a user has resolved a topic. */
export async function postMoveNotices({ realm, me, site, params, read, commit }: Mover, moved: Moved) {
  const { move } = moved
  const url = realmUrl(site, realm.row)
  const texts = moveNotices(url, me, moved)
  const newest = await newestInTopics(read, realm, `${texts.here} ${texts.away}`)
  const lookup = { ...noticeLookup(realm, url, me), ...newest }
  const noticeIn = ({ channel, topic }: Move['to'], content: string): Notice => {
    return { recipientId: channel.recipient_id, topic, content, rendered: render(content, lookup) }
  }
  const tellsOfMove = !move.resolution || move.changesChannel
  const wanted = [
    ...(tellsOfMove && params.send_notification_to_new_thread ? [noticeIn(move.to, texts.here)] : []),
    ...(tellsOfMove && params.send_notification_to_old_thread ? [noticeIn(move.from, texts.away)] : []),
  ]
  const resolved = move.resolution && noticeIn(move.to, resolutionNotice(me, move.resolution))
  if (!resolved && wanted.length === 0) return
  const left = await commit(async (change) => {
    const isPosted = resolved && !(await takeBack(change, move))
    const left = isPosted
      ? await postNotice(change, { ...resolved, unreadFor: await whoWantsToRead(change, move.to) })
      : undefined
    for (const one of wanted) await postNotice(change, one)
    return left
  })
  await markLeftAsRead(commit, [left])
}

/**
 * Deletes the newest notice of the topic if it is recent and reports the opposite change. Returns whether it did. So a
 * topic that is resolved by mistake and unresolved immediately gets neither notice.
 */
async function takeBack(change: Change, { to, resolution }: Move) {
  const [newest] = await change.run(sql<MessageRow>`
    SELECT * FROM message WHERE realm_id = ${change.state.id} AND recipient_id = ${to.channel.recipient_id}
      AND lower(topic) = lower(${to.topic}::text) ORDER BY id DESC LIMIT 1`)
  const opposite = resolution === 'resolved' ? 'unresolved' : 'resolved'
  const isIt =
    newest?.sender_id === notificationBot(change.state).id &&
    newest.content.endsWith(` has marked this topic as ${opposite}.`) &&
    change.now - newest.sent_at <= editLimits.resolveUndoSeconds
  if (isIt) await removeMessages(change, newest.recipient_id, newest.topic, [newest.id])
  return isIt
}

/**
 * Returns the subscribers who want to see when a topic is resolved. Other subscribers get the notice as read (level
 * 385).
 */
async function whoWantsToRead(change: Change, { channel, topic }: Move['to']): Promise<number[]> {
  const rows = await change.run(sql<{ user_id: number }>`
    SELECT user_id FROM user_topic WHERE realm_id = ${change.state.id} AND channel_id = ${channel.id}
      AND lower(topic) = lower(${topic}::text) AND visibility_policy = ${visibility.followed}`)
  const followers = new Set(rows.map((row) => row.user_id))
  return subscribersNow(change.state, channel.recipient_id).filter((userId) => {
    const policy = userSetting(change.state.users.require(userId), 'resolved_topic_notice_auto_read_policy')
    return policy === 'never' || (policy === 'except_followed' && followers.has(userId))
  })
}
