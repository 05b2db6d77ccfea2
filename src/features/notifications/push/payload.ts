import type { AccountRow } from '../../../db/schema.ts'
import { must } from '../../../lib/must.ts'
import { realmHost, realmUrl, type Site } from '../../../lib/site.ts'
import type { RealmState } from '../../../log/realm-state.ts'
import { emptyTopicDisplayName } from '../../kernel/topics/shown-topic.ts'
import { authorAvatar, authorView } from '../../kernel/users/author-view.ts'
import { userSetting } from '../../kernel/users/settings.ts'
import { mailsShowContent } from '../kernel/mail-texts/mail-settings.ts'
import { plainText } from '../kernel/plain-text/plain-text.ts'
import type { NotifiedMessage, Pending } from './pending-notifications.ts'

/** Returns the payload for a device that can decrypt it. docs/push.md describes it for client authors. */
export function pushPayload(realm: RealmState, site: Site, pending: Pending): object {
  const { row, device, user, message } = pending
  const place = { realm_url: realmUrl(site, realm.row), realm_name: realm.row.name, user_id: user.id }
  if (row.kind === 'remove') return { type: 'remove', ...place, message_ids: row.message_ids }
  if (!message) return { type: 'test', ...place, time: row.created_at }
  // Browser notifications are visible on a desktop.
  const hidesText =
    device.kind === 'browser' &&
    row.reason === 'direct' &&
    !userSetting(user, 'pm_content_in_desktop_notifications')
  const sender = senderOf(realm, site, user, message)
  return {
    type: 'message',
    ...place,
    message_id: message.id,
    time: message.sent_at,
    reason: row.reason,
    sender_id: message.sender_id,
    sender_full_name: sender.name,
    sender_avatar_url: sender.avatar,
    ...conversationOf(realm, message),
    ...(!hidesText && { content: plainText(message.rendered_content) }),
  }
}

/**
 * Returns the payload in clear text, in the fields that older apps know. Numbers stay numbers: the relay converts them
 * for the service that accepts only text.
 */
export function clearPayloadOf(realm: RealmState, site: Site, pending: Pending, showsText: boolean): object {
  const { row, user, message } = pending
  const url = realmUrl(site, realm.row)
  const place = {
    server: realmHost(site, realm.row),
    realm_id: realm.id,
    realm_url: url,
    realm_uri: url, // until level 257
    realm_name: realm.row.name,
    user_id: user.id,
  }
  if (row.kind === 'remove') return { event: 'remove', ...place, zulip_message_ids: row.message_ids.join() }
  if (!message) return { event: 'test', ...place, time: row.created_at }
  const sender = senderOf(realm, site, user, message)
  return {
    event: 'message',
    ...place,
    zulip_message_id: message.id,
    time: message.sent_at,
    sender_id: message.sender_id,
    sender_email: sender.email,
    sender_full_name: sender.name,
    sender_avatar_url: sender.avatar,
    ...clearConversationOf(realm, message),
    // A text that mails may not show must not be readable on the way to a phone either.
    content: showsText && mailsShowContent(realm, user) ? plainText(message.rendered_content) : 'New message',
    content_truncated: false,
  }
}

function senderOf(realm: RealmState, site: Site, viewer: AccountRow, { sender_id }: NotifiedMessage) {
  const sender = realm.users.require(sender_id)
  const { full_name, email } = authorView(realm, site, sender, viewer)
  const avatar = must(authorAvatar(realm, site, sender, viewer, false), 'avatar')
  return { name: full_name, email, avatar: new URL(avatar, realmUrl(site, realm.row)).href }
}

function conversationOf(realm: RealmState, { recipient_id, topic }: NotifiedMessage) {
  const { channel_id, user_ids } = realm.recipients.require(recipient_id)
  if (!channel_id) return { recipient_type: 'direct', recipient_user_ids: user_ids }
  const { name } = realm.channels.require(channel_id)
  return { recipient_type: 'channel', channel_id, channel_name: name, topic }
}

function clearConversationOf(realm: RealmState, { recipient_id, topic }: NotifiedMessage) {
  const { channel_id, user_ids } = realm.recipients.require(recipient_id)
  if (channel_id !== null) {
    return {
      recipient_type: 'stream',
      stream: realm.channels.require(channel_id).name,
      stream_id: channel_id,
      topic: topic || emptyTopicDisplayName,
    }
  }
  return { recipient_type: 'private', ...(user_ids.length > 2 && { pm_users: user_ids.join() }) }
}
