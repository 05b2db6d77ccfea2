import { get, post, remove } from '../../api/client.ts'
import { insertIntoComposer } from '../../lib/actions.ts'
import { copyText } from '../../lib/copy-text.ts'
import { t } from '../../lib/i18n.ts'
import { type Conversation, termsOf } from '../../lib/route.ts'
import { goTo, linkTo } from '../../lib/router.ts'
import { isFollowed, isMutedTopic, policies, subscribed } from '../../store/channels.ts'
import { conversationOfMessage, hasFlag, type Message } from '../../store/messages.ts'
import { nameOf } from '../../store/people.ts'
import { currentState } from '../../store/server-state.ts'
import { holdReading } from '../feed/reading.ts'
import { notice, noticeFailure } from '../parts/notices.tsx'

// What is done with messages and topics, by menus, buttons and keys alike.

export type Emoji = { emoji_name: string; emoji_code: string; reaction_type: string }

export const thumbsUp: Emoji = { emoji_name: '+1', emoji_code: '1f44d', reaction_type: 'unicode_emoji' }

/** How many messages one request covers that changes the flags of a narrow. */
const flagBatch = 1000

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

/** The address of a message, for other people. */
export function messageLink(message: Message) {
  const terms = termsOf(conversationOfMessage(message), currentState().user_id)
  return `${currentState().realm_url}/${linkTo({ view: 'narrow', terms, near: message.id })}`
}

/** Copies a text, and says so. Returns whether it succeeded. */
export async function copy(text: string, done = t('menu.link_copied')): Promise<boolean> {
  try {
    await copyText(text)
    notice(done)
    return true
  } catch (error) {
    noticeFailure(error)
    return false
  }
}

export async function sourceOf(message: Message): Promise<string> {
  const params = { apply_markdown: false, allow_empty_topic_name: true }
  const { message: found } = await get<{ message: Message }>(`/messages/${message.id}`, params)
  return found.content
}

export function mentionOf(userId: number, isSilent = false) {
  return `@${isSilent ? '_' : ''}**${nameOf(userId)}|${userId}**`
}

/** The Markdown that quotes a message. Its fence is longer than any within. */
export async function quoteOf(message: Message): Promise<string> {
  const source = await sourceOf(message)
  const longest = Math.max(2, ...[...source.matchAll(/^\s*(`{3,})/gm)].map(([, marks = '']) => marks.length))
  const fence = '`'.repeat(longest + 1)
  const said = t('menu.said')
  return `${mentionOf(message.sender_id, true)} [${said}](${messageLink(message)}):\n${fence}quote\n${source}\n${fence}\n`
}

export function quote(message: Message) {
  const to = conversationOfMessage(message)
  quoteOf(message).then((text) => insertIntoComposer(text, to), noticeFailure)
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

/** Marks a message and those after it in its conversation as unread, and leaves them so while the view is open. */
export async function markUnreadFrom(message: Message) {
  await holdReading(message.id)
  const narrow = termsOf(conversationOfMessage(message), currentState().user_id)
  try {
    let anchor = message.id
    for (let isDone = false, isFirst = true; !isDone; isFirst = false) {
      const done = await post<{ found_newest: boolean; last_processed_id: number | null }>(
        '/messages/flags/narrow',
        {
          anchor: String(anchor),
          include_anchor: isFirst,
          num_before: 0,
          num_after: flagBatch,
          narrow,
          op: 'remove',
          flag: 'read',
        },
      )
      anchor = done.last_processed_id ?? anchor
      isDone = done.found_newest || done.last_processed_id === null
    }
    notice(t('menu.marked_unread'))
  } catch (error) {
    noticeFailure(error)
  }
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
