import type { AccountRow, MessageRow } from '../../db/schema.ts'
import type { Site } from '../../lib/site.ts'
import type { RealmState } from '../../log/realm-state.ts'
import { editsView } from '../editing/edit-history.ts'
import { linksOfTopic } from '../linkifiers/topic-links.ts'
import type { Reaction } from '../reactions/reactions.ts'
import { emptyTopicDisplayName } from '../realm/settings.ts'
import { apiEmail, avatarUrl } from '../users/user-view.ts'
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
  const sender = realm.users.get(message.sender_id)!
  return {
    id: message.id,
    sender_id: sender.id,
    content: format.applyMarkdown ? message.rendered_content : message.content,
    recipient_id: wireRecipientId(realm, message, viewer),
    timestamp: message.sent_at,
    client: message.client,
    subject: topicView(realm, message, format),
    topic_links: linksOfTopic(realm, message.topic),
    is_me_message: message.is_me_message,
    reactions: message.reactions ?? [],
    submessages: message.submessages ?? [],
    sender_full_name: sender.full_name,
    sender_email: apiEmail(realm, site, sender),
    sender_realm_str: realm.realm.subdomain,
    ...conversationView(realm, site, message),
    avatar_url: avatarUrl(realm, site, sender, { clientComputes: format.clientGravatar, viewer }),
    content_type: format.applyMarkdown ? 'text/html' : 'text/x-markdown',
    ...editsView(realm, message, format.emptyTopicName),
  }
}

export type MessageView = ReturnType<typeof messageView>

/** Whether two people (or one, writing to themself) talk here: then readers see different recipient ids. */
export function isOneOnOne(realm: RealmState, message: Pick<MessageRow, 'recipient_id'>) {
  const users = realm.recipients.get(message.recipient_id)?.user_ids
  return users !== null && users !== undefined && users.length <= 2
}

// Until level 482, the id of a one-on-one conversation stands for the other person, so it depends on who reads. Even
// numbers are people here, odd ones channels and groups.
function wireRecipientId(realm: RealmState, message: MessageRow, viewer: AccountRow) {
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
  if (message.topic !== '' || format.emptyTopicName) return message.topic
  return realm.recipients.get(message.recipient_id)?.channel_id ? emptyTopicDisplayName : ''
}

function conversationView(realm: RealmState, site: Site, message: MessageRow) {
  const recipient = realm.recipients.get(message.recipient_id)!
  if (recipient.channel_id !== null) {
    const channel = realm.channels.get(recipient.channel_id)!
    return { display_recipient: channel.name, type: 'stream', stream_id: channel.id }
  }
  const people = recipient.user_ids!.map((id) => realm.users.get(id)!)
  return {
    display_recipient: people.map((person) => ({
      id: person.id,
      email: apiEmail(realm, site, person),
      full_name: person.full_name,
      is_mirror_dummy: false,
    })),
    type: 'private',
  }
}
