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

/** A message with what others have added to it, if anything. */
export type MessageToShow = MessageRow & {
  reactions?: Reaction[] | null
  submessages?: Submessage[] | null
}

/** How a client wants its messages. */
export type MessageFormat = {
  applyMarkdown: boolean
  /** The client computes the addresses of avatars that come from the external provider. */
  clientGravatar: boolean
  /** The client knows the empty topic; others get its display name (level 334). */
  emptyTopicName: boolean
}

/** The message object of the wire, without what is the reader's own (flags). */
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

/** The column that has what a client shows. */
export function contentIn({ applyMarkdown }: MessageFormat) {
  return applyMarkdown ? 'rendered_content' : 'content'
}

export function contentType({ applyMarkdown }: MessageFormat) {
  return applyMarkdown ? 'text/html' : 'text/x-markdown'
}

/** How a message was written, what others have added to it, and how it was changed. */
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
  // Whoever is not logged in sees a message as it is now.
  const shown = isSpectator(viewer) ? { ...message, edit_history: null } : message
  return {
    client: message.client,
    is_me_message: message.is_me_message,
    reactions: message.reactions ?? [],
    submessages: message.submessages ?? [],
    ...editsView(realm, shown, format.emptyTopicName),
  }
}

/** What all messages of a sender say of them. */
export function senderView(
  realm: RealmState,
  site: Site,
  { sender_id }: Pick<MessageRow, 'sender_id'>,
  viewer: AccountRow,
  format: MessageFormat,
) {
  const sender = realm.users.get(sender_id)!
  const { email, full_name } = authorView(realm, site, sender, viewer)
  return {
    sender_id,
    sender_full_name: full_name,
    sender_email: email,
    sender_realm_str: realm.realm.subdomain,
    avatar_url: authorAvatar(realm, site, sender, viewer, format.clientGravatar),
  }
}

/** What all messages of a topic say of it. */
export function topicFields(
  realm: RealmState,
  message: Pick<MessageRow, 'topic' | 'recipient_id'>,
  format: MessageFormat,
) {
  return { subject: topicView(realm, message, format), topic_links: linksOfTopic(realm, message.topic) }
}

/** Whether two people (or one, writing to themself) talk here: then readers see different recipient ids. */
export function isOneOnOne(realm: RealmState, message: Pick<MessageRow, 'recipient_id'>) {
  const users = realm.recipients.get(message.recipient_id)?.user_ids
  return users !== null && users !== undefined && users.length <= 2
}

// Until level 482, the id of a one-on-one conversation stands for the other person, so it depends on who reads. Even
// numbers are people here, odd ones channels and groups.
function wireRecipientId(realm: RealmState, message: Pick<MessageRow, 'recipient_id'>, viewer: AccountRow) {
  const users = realm.recipients.get(message.recipient_id)?.user_ids
  if (!users || users.length > 2) return 2 * message.recipient_id + 1
  return 2 * (users.find((id) => id !== viewer.id) ?? viewer.id)
}

/** The topic as a client knows it; '' in direct messages. */
export function topicView(
  realm: RealmState,
  message: Pick<MessageRow, 'topic' | 'recipient_id'>,
  format: Pick<MessageFormat, 'emptyTopicName'>,
) {
  const isInChannel = realm.recipients.get(message.recipient_id)?.channel_id
  return isInChannel ? shownTopic(message.topic, format.emptyTopicName) : ''
}

/** What all messages of a conversation say of it. */
export function conversationView(
  realm: RealmState,
  site: Site,
  message: Pick<MessageRow, 'recipient_id'>,
  viewer: AccountRow,
) {
  const recipient_id = wireRecipientId(realm, message, viewer)
  const recipient = realm.recipients.get(message.recipient_id)!
  if (recipient.channel_id !== null) {
    const channel = realm.channels.get(recipient.channel_id)!
    return { recipient_id, display_recipient: channel.name, type: 'stream', stream_id: channel.id }
  }
  const people = recipient.user_ids!.map((id) => realm.users.get(id)!)
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
