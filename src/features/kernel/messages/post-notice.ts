import type { Change } from '../../../log/change.ts'
import type { Commit } from '../../../log/realm-log.ts'
import type { RealmState } from '../../../log/realm-state.ts'
import { inSteps } from '../../../log/steps.ts'
import type { Rendered } from '../../../markdown/render.ts'
import { isActive } from '../channels/access.ts'
import { markReadForMany } from '../flags/read-for-many.ts'
import { messagesRead } from '../flags/update_message_flags.event.ts'
import { systemBots } from '../settings/system-bots.ts'
import { messageLimits } from './limits.ts'
import { type NewMessage, sendMessageWrite } from './new-message.ts'

export type Notice = {
  recipientId: number
  /** '' in direct messages. */
  topic: string
  content: string
  /** The content, rendered before the change began. */
  rendered: Rendered
  /** If given, the message arrives as read for all other subscribers of the channel. */
  unreadFor?: number[]
  /** The users who know its content already. The message arrives as read for them. */
  readBy?: number[]
  /** Another system bot that sends it. */
  senderId?: number
}

/** A message, and the users for whom it is still to be marked as read. */
export type LeftToRead = { message: { id: number; recipient: number }; userIds: number[] }

/**
 * Sends a message of the Notification Bot (or another bot) as a part of a change. Its mentions do not notify. If it
 * arrives as read for very many users, some of them are left to `markLeftAsRead`, as others could not write meanwhile.
 */
export async function postNotice(change: Change, notice: Notice): Promise<LeftToRead | undefined> {
  const { recipientId, unreadFor } = notice
  const id = await change.add(sendMessageWrite, toSend(change.state, notice))
  if (!unreadFor) return undefined
  const unread = new Set(unreadFor)
  const others = subscribersNow(change.state, recipientId).filter((userId) => !unread.has(userId))
  const message = { id, recipient: recipientId }
  await markReadForMany(change, others.slice(0, messageLimits.readersPerStep), message)
  return { message, userIds: others.slice(messageLimits.readersPerStep) }
}

/**
 * Marks notices as read for the users who are left, after the change that has posted them. A client that has registered
 * meanwhile has one as unread, so it is told.
 */
export async function markLeftAsRead(commit: Commit, left: (LeftToRead | undefined)[]) {
  for (const one of left) {
    if (!one) continue
    await inSteps(commit, one.userIds, messageLimits.readersPerStep, async (change, users) => {
      await markReadForMany(change, users, one.message)
      change.emit(messagesRead([one.message.id]), { users })
      return {}
    })
  }
}

/** Sends many of them in one statement. All arrive as unread. */
export async function postNotices(change: Change, notices: Omit<Notice, 'unreadFor'>[]) {
  await change.addAll(
    sendMessageWrite,
    notices.map((notice) => toSend(change.state, notice)),
  )
}

function toSend(realm: RealmState, notice: Notice): NewMessage {
  const { recipientId, topic, content, rendered, unreadFor, readBy } = notice
  return {
    realmId: realm.id,
    message: {
      recipient_id: recipientId,
      sender_id: notice.senderId ?? notificationBot(realm).id,
      topic,
      content,
      rendered_content: rendered.html,
      rendered_version: rendered.version,
      client: 'Internal',
      is_me_message: false,
      mentions_channel: false,
      mentions_topic: false,
      read_by_sender: true,
      has_link: rendered.facts.hasLink,
      has_image: rendered.facts.hasImage,
      has_attachment: rendered.facts.hasAttachment,
    },
    mentioned: [],
    key: null,
    echo: null,
    ...(unreadFor && { unreadFor }),
    ...(readBy?.length && { readBy }),
  }
}

/** Returns the current subscribers of a channel, by its recipient; none for a direct conversation. */
export function subscribersNow(realm: RealmState, recipientId: number): number[] {
  const channelId = realm.recipients.get(recipientId)?.channel_id
  if (!channelId) return []
  return [...realm.subscriptionsOfChannel(channelId)].filter(isActive).map((row) => row.user_id)
}

/** Returns the bot that sends notices. */
export function notificationBot(realm: RealmState) {
  const bot = realm.userByEmail(systemBots.notification.email)
  if (!bot) throw new Error(`realm ${realm.id} has no Notification Bot`)
  return bot
}
