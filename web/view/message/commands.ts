import { post, remove } from '../../api/client.ts'
import { insertIntoComposer } from '../../lib/actions.ts'
import { t } from '../../lib/i18n.ts'
import { type Conversation, termsOf } from '../../lib/route.ts'
import { goTo } from '../../lib/router.ts'
import { isFollowed, isMutedTopic, policies, subscribed } from '../../store/channels.ts'
import { hasFlag, type Message } from '../../store/messages.ts'
import { nameOf } from '../../store/people.ts'
import { currentState } from '../../store/server-state.ts'
import { notice, noticeFailure } from '../parts/notices.tsx'

// Actions on messages and topics, for menus, buttons and keys alike.

export type Emoji = { emoji_name: string; emoji_code: string; reaction_type: string }

export const thumbsUp: Emoji = { emoji_name: '+1', emoji_code: '1f44d', reaction_type: 'unicode_emoji' }

/** The server takes 5,000 messages in a request, and a conversation may have more. */
const messagesPerRequest = 5_000

async function changeFlag(messages: number[], flag: string, isOn: boolean) {
  const op = isOn ? 'add' : 'remove'
  for (let at = 0; at < messages.length; at += messagesPerRequest) {
    await post('/messages/flags', { messages: messages.slice(at, at + messagesPerRequest), op, flag })
  }
}

export function setFlag(messages: number[], flag: string, isOn: boolean) {
  void changeFlag(messages, flag, isOn).catch(noticeFailure)
}

export function toggleFlag(message: Message, flag: 'starred' | 'collapsed') {
  setFlag([message.id], flag, !hasFlag(message, flag))
}

/** Adds a reaction, or removes the user's own. */
export function toggleReaction(message: Message, { emoji_name, emoji_code, reaction_type }: Emoji) {
  const own = message.reactions.some(
    (one) =>
      one.user_id === currentState().user_id &&
      one.emoji_code === emoji_code &&
      one.reaction_type === reaction_type,
  )
  const path = `/messages/${message.id}/reactions`
  const params = { emoji_name, emoji_code, reaction_type }
  void (own ? remove(path, params) : post(path, params)).catch(noticeFailure)
}

export function mentionOf(userId: number, isSilent = false) {
  return `@${isSilent ? '_' : ''}**${nameOf(userId)}|${userId}**`
}

/** Opens a conversation and puts text into its box. */
export function writeTo(to: Conversation, text = '') {
  goTo({ view: 'narrow', terms: termsOf(to, currentState().user_id) })
  insertIntoComposer(text, to)
}

/** Everyone in the conversation of a direct message; the author of any other. */
export function replyDirect(message: Message) {
  const own = currentState().user_id
  writeTo({ userIds: message.sender_id === own ? [] : [message.sender_id] })
}

/** Marks messages as read and offers to undo it. */
export async function markRead(ids: number[]) {
  if (ids.length === 0) return
  try {
    await changeFlag(ids, 'read', true)
    const offer = { label: t('notice.undo'), run: () => setFlag(ids, 'read', false) }
    notice(t('menu.marked_read', { count: ids.length }), { offer })
  } catch (error) {
    noticeFailure(error)
  }
}

export type TopicRef = { channelId: number; topic: string }

function setPolicy({ channelId, topic }: TopicRef, visibility_policy: number) {
  return post('/user_topics', { stream_id: channelId, topic, visibility_policy }).catch(noticeFailure)
}

/** A topic of a muted channel becomes unmuted by a policy of its own. */
export function toggleMute({ channelId, topic }: TopicRef) {
  const isMuted = isMutedTopic(channelId, topic)
  const isChannelMuted = subscribed().get(channelId)?.is_muted ?? false
  const on = isChannelMuted ? policies.inherit : policies.muted
  const off = isChannelMuted ? policies.unmuted : policies.inherit
  const before = isMuted ? on : off
  void setPolicy({ channelId, topic }, isMuted ? off : on)
  notice(t(isMuted ? 'menu.unmuted' : 'menu.muted'), {
    offer: { label: t('notice.undo'), run: () => void setPolicy({ channelId, topic }, before) },
  })
}

export function toggleFollow({ channelId, topic }: TopicRef) {
  const wasFollowed = isFollowed(channelId, topic)
  void setPolicy({ channelId, topic }, wasFollowed ? policies.inherit : policies.followed)
  notice(t(wasFollowed ? 'menu.unfollowed' : 'menu.followed'))
}
