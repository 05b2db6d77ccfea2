import { must } from '../../../lib/must.ts'
import type { RealmState } from '../../../log/realm-state.ts'
import { unchanged } from './columns.ts'
import { isMeText } from './message-text.ts'
import type { MessageToShow } from './message-view.ts'

/**
 * The users that a message calls: by name, by their alert words, as subscribers of its channel, as participants of its
 * topic.
 */
export type Called = { mentioned?: number[]; alerted?: number[]; channel?: true; topic?: number[] }

/**
 * Details that an event stores about a message because later changes would overwrite them; null if there are too many
 * users to list.
 */
type Remembered = { called?: Called | null }

type Body = { message: MessageToShow; mentioned: number[]; alerted: number[] }

/** Returns a message as it was sent, reconstructed from its current form and its edits. */
export function asSent(realm: RealmState, body: Body, { called }: Remembered): Body {
  const { message } = body
  const edits = message.edit_history
  if (!edits?.length) return body
  const text = edits.findLast(({ content }) => content !== undefined)
  const topic = edits.findLast((edit) => edit.topic)?.topic
  const channel = edits.findLast((edit) => edit.channel)?.channel
  const recipient = channel && realm.channels.get(channel[0])?.recipient_id
  const sent = {
    ...message,
    topic: topic?.[0] ?? message.topic,
    recipient_id: recipient ?? message.recipient_id,
    ...unchanged,
  }
  if (!text) return { ...body, message: sent }
  const content = must(text.content, 'text as it was')
  Object.assign(sent, {
    content,
    rendered_content: must(text.rendered, 'rendered text as it was'),
    is_me_message: isMeText(content),
  })
  if (called === null) return { ...body, message: sent }
  sent.mentions_channel = called?.channel ?? false
  sent.topic_mentioned = called?.topic ?? null
  return { message: sent, mentioned: called?.mentioned ?? [], alerted: called?.alerted ?? [] }
}

/**
 * Returns the remainder of a deleted message for its sender's client, which waits for confirmation that it was sent.
 */
export function deletedMessage(
  realmId: number,
  id: number,
  { sender_id, recipient_id, topic, sent_at }: MessageAsSent,
): Body {
  const message: MessageToShow = {
    realm_id: realmId,
    id,
    recipient_id,
    sender_id,
    topic,
    content: '',
    rendered_content: '',
    rendered_version: 0,
    client: '',
    is_me_message: false,
    mentions_channel: false,
    mentions_topic: false,
    topic_mentioned: null,
    read_by_sender: true,
    sent_at,
    ...unchanged,
    has_link: false,
    has_image: false,
    has_attachment: false,
  }
  return { message, mentioned: [], alerted: [] }
}

/** The location, time and sender of a message when it was sent. */
export type MessageAsSent = { sender_id: number; recipient_id: number; topic: string; sent_at: number }
