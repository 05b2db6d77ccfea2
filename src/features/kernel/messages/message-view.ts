import type { AccountRow, MessageRow } from '../../../db/schema.ts'
import type { Site } from '../../../lib/site.ts'
import type { RealmState } from '../../../log/realm-state.ts'
import { isSpectator } from '../channels/web-public.ts'
import { editsView } from '../editing/edit-history.ts'
import { linksOfTopic } from '../linkifiers/topic-links.ts'
import type { Reaction } from '../reactions/reactions.ts'
import { shownTopic } from '../topics/shown-topic.ts'
import { authorAvatar, authorView } from '../users/author-view.ts'
import { apiEmail } from '../users/user-view.ts'
import type { Submessage } from '../widgets/submessages.ts'

/** A message with the additions of other users, if there are any. */
export type MessageToShow = MessageRow & {
  reactions?: Reaction[] | null
  submessages?: Submessage[] | null
}

/** How a client wants to receive messages. */
export type MessageFormat = {
  applyMarkdown: boolean
  /** The client computes the addresses of avatars of the external provider. */
  clientGravatar: boolean
  /** The client knows the empty topic. Others receive its display name (level 334). */
  emptyTopicName: boolean
}

/** Returns the message object of the wire, without the reader's own fields (flags). */
export function messageView(
  realm: RealmState,
  site: Site,
  message: MessageToShow,
  viewer: AccountRow,
  format: MessageFormat,
) {
  return {
    id: message.id,
    timestamp: message.sent_at,
    content: format.applyMarkdown ? message.rendered_content : message.content,
    content_type: contentType(format),
    ...detailsView(realm, message, viewer, format),
    ...senderView(realm, site, message, viewer, format),
    ...conversationView(realm, site, message, viewer),
    ...topicFields(realm, message, format),
  }
}

export type MessageView = ReturnType<typeof messageView>

/** Returns the column that contains the content that a client shows. */
export function contentIn({ applyMarkdown }: MessageFormat) {
  return applyMarkdown ? 'rendered_content' : 'content'
}

export function contentType({ applyMarkdown }: MessageFormat) {
  return applyMarkdown ? 'text/html' : 'text/x-markdown'
}

/** Returns how a message was written, the additions of other users, and its edits. */
export function detailsView(
  realm: RealmState,
  message: Pick<
    MessageToShow,
    | 'client'
    | 'is_me_message'
    | 'reactions'
    | 'submessages'
    | 'edit_history'
    | 'last_edited_at'
    | 'last_moved_at'
  >,
  viewer: AccountRow,
  format: MessageFormat,
) {
  // Users who are not logged in see only the current form of a message.
  const shown = isSpectator(viewer) ? { ...message, edit_history: null } : message
  return {
    client: message.client,
    is_me_message: message.is_me_message,
    reactions: message.reactions ?? [],
    submessages: message.submessages ?? [],
    ...editsView(realm, shown, format.emptyTopicName),
  }
}

/** Returns the fields that are the same in all messages of a sender. */
export function senderView(
  realm: RealmState,
  site: Site,
  { sender_id }: Pick<MessageRow, 'sender_id'>,
  viewer: AccountRow,
  format: MessageFormat,
) {
  const sender = realm.users.require(sender_id)
  const { email, full_name } = authorView(realm, site, sender, viewer)
  return {
    sender_id,
    sender_full_name: full_name,
    sender_email: email,
    sender_realm_str: realm.row.subdomain,
    avatar_url: authorAvatar(realm, site, sender, viewer, format.clientGravatar),
  }
}

/** Returns the fields that are the same in all messages of a topic. */
export function topicFields(
  realm: RealmState,
  message: Pick<MessageRow, 'topic' | 'recipient_id'>,
  format: MessageFormat,
) {
  return { subject: topicView(realm, message, format), topic_links: linksOfTopic(realm, message.topic) }
}

/**
 * Returns whether a conversation has two participants (or one user writing to themselves). Its readers then see
 * different recipient ids.
 */
export function isOneOnOne(realm: RealmState, message: Pick<MessageRow, 'recipient_id'>) {
  const users = realm.recipients.get(message.recipient_id)?.user_ids
  return users !== null && users !== undefined && users.length <= 2
}

// Until level 482, the id of a one-on-one conversation represents the other user, so it depends on the reader. Even
// numbers are users here, odd ones channels and groups.
function wireRecipientId(realm: RealmState, message: Pick<MessageRow, 'recipient_id'>, viewer: AccountRow) {
  const users = realm.recipients.get(message.recipient_id)?.user_ids
  if (!users || users.length > 2) return 2 * message.recipient_id + 1
  return 2 * (users.find((id) => id !== viewer.id) ?? viewer.id)
}

/** Returns the topic as a client knows it; '' in direct messages. */
export function topicView(
  realm: RealmState,
  message: Pick<MessageRow, 'topic' | 'recipient_id'>,
  format: Pick<MessageFormat, 'emptyTopicName'>,
) {
  const isInChannel = realm.recipients.get(message.recipient_id)?.channel_id
  return isInChannel ? shownTopic(message.topic, format.emptyTopicName) : ''
}

/** Returns the fields that are the same in all messages of a conversation. */
export function conversationView(
  realm: RealmState,
  site: Site,
  message: Pick<MessageRow, 'recipient_id'>,
  viewer: AccountRow,
) {
  const recipient_id = wireRecipientId(realm, message, viewer)
  const recipient = realm.recipients.require(message.recipient_id)
  if (recipient.channel_id !== null) {
    const channel = realm.channels.require(recipient.channel_id)
    return { recipient_id, display_recipient: channel.name, type: 'stream', stream_id: channel.id }
  }
  const people = recipient.user_ids.map((id) => realm.users.require(id))
  return {
    recipient_id,
    display_recipient: people.map((person) => ({
      id: person.id,
      email: apiEmail(realm, site, person),
      full_name: person.full_name,
      is_mirror_dummy: false,
    })),
    type: 'private',
  }
}
