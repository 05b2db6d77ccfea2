import type { DesktopNote } from './notes.ts'
import { type Conversation, conversationKey, hashOf, termsOf } from './route.ts'

type Place = { realm_name: string; user_id: number }

type PushedMessage = Place & {
  type: 'message'
  message_id: number
  sender_full_name: string
  sender_avatar_url: string
  /** Absent if the text is not to be shown. */
  content?: string
} & (
    | { recipient_type: 'channel'; channel_id: number; channel_name: string; topic: string }
    | { recipient_type: 'direct'; recipient_user_ids: number[] }
  )

/** A message that the server pushes to a browser. */
export type Pushed =
  | PushedMessage
  | (Place & { type: 'remove'; message_ids: number[] })
  | (Place & { type: 'test'; realm_url: string; time: number })

/** Returns the notification of a message, with the tag that tabs use for its conversation. */
export function noteOf(pushed: PushedMessage): DesktopNote {
  const conversation = conversationOf(pushed)
  const terms = termsOf(conversation, pushed.user_id)
  return {
    id: pushed.message_id,
    tag: conversationKey(conversation),
    title: titleOf(pushed),
    body: pushed.content ?? '',
    icon: pushed.sender_avatar_url,
    hash: hashOf({ view: 'narrow', terms, near: pushed.message_id }),
  }
}

function conversationOf(pushed: PushedMessage): Conversation {
  if (pushed.recipient_type === 'channel') return { channelId: pushed.channel_id, topic: pushed.topic }
  return { userIds: pushed.recipient_user_ids.filter((id) => id !== pushed.user_id) }
}

function titleOf(pushed: PushedMessage) {
  const sender = pushed.sender_full_name
  if (pushed.recipient_type === 'direct') return sender
  const { channel_name, topic } = pushed
  return `${sender} (#${channel_name}${topic && ` › ${topic}`})`
}
