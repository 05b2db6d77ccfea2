import type { Change } from '../../../log/change.ts'
import type { RealmState } from '../../../log/realm-state.ts'
import type { Rendered } from '../../../markdown/render.ts'
import { isActive } from '../channels/access.ts'
import { markReadForMany } from '../flags/read-for-many.ts'
import { systemBots } from '../settings/system-bots.ts'
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

/**
 * Sends a message of the Notification Bot (or another bot) as a part of a change. Its mentions do not notify. Returns
 * its id.
 */
export async function postNotice(change: Change, notice: Notice): Promise<number> {
  const { recipientId, unreadFor } = notice
  const id = await change.add(sendMessageWrite, toSend(change.state, notice))
  if (unreadFor) {
    const unread = new Set(unreadFor)
    const others = subscribersNow(change.state, recipientId).filter((userId) => !unread.has(userId))
    await markReadForMany(change, others, { id, recipient: recipientId })
  }
  return id
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
