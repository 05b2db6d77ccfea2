import type { AccountRow, ChannelRow, RecipientRow } from '../../../db/schema.ts'
import { checkActive } from '../../../http/callers/authenticate.ts'
import { badRequest } from '../../../lib/api-error.ts'
import type { RealmState } from '../../../log/realm-state.ts'
import { channelToPostIn } from '../channels/access.ts'
import {
  hasPermission,
  hasRealmPermission,
  isInSetting,
  realmPermissionValue,
  systemGroupId,
} from '../groups/access.ts'
import { realmPermissions } from '../groups/permission-settings.ts'
import { realmSettings } from '../settings/settings.ts'
import { emptyTopicDisplayName } from '../topics/shown-topic.ts'
import type { NewMessage } from './new-message.ts'

/**
 * Throws unless the sender of a message may still write where it is to go. Others may have changed that between its check and
 * its turn to be written: archived the channel, removed the sender from it, deactivated a participant or the organization.
 */
export function checkMaySendStill(realm: RealmState, { message, begins }: NewMessage) {
  const sender = realm.users.require(message.sender_id)
  checkActive(realm, sender)
  const { channel_id, user_ids } = begins
    ? { channel_id: null, user_ids: begins }
    : realm.recipients.require(message.recipient_id)
  if (channel_id !== null) {
    const channel = channelToPostIn(realm, sender, channel_id)
    return checkTopicPolicy(realm, channel, message.topic)
  }
  const people = (user_ids ?? []).map((id) => realm.users.require(id))
  const gone = people.find((person) => !person.is_active)
  if (gone) throw badRequest(`'${gone.full_name}' is no longer using Zulip.`)
  checkMayTalk(realm, sender, people)
}

/**
 * Throws unless the organization lets these users talk. At least one of them must be in
 * direct_message_permission_group. Beginning a conversation requires membership in direct_message_initiator_group.
 * Messages to the sender and to bots are always allowed.
 */
export function checkMayTalk(realm: RealmState, me: AccountRow, people: AccountRow[]) {
  const others = people.filter((person) => person.id !== me.id)
  if (others.every((person) => person.bot_type !== null)) return
  const permission = realmPermissionValue(realm, 'direct_message_permission_group')
  if (permission === systemGroupId(realm, 'role:nobody')) {
    throw badRequest('Direct messages are disabled in this organization.')
  }
  const setting = realmPermissions.direct_message_permission_group
  if (
    !people.some(
      (person) => hasPermission(realm, person, permission, setting) && isInSetting(realm, person, permission),
    )
  ) {
    throw badRequest('This conversation does not include any users who can authorize it.')
  }
  if (!conversationOf(realm, people) && !hasRealmPermission(realm, me, 'direct_message_initiator_group')) {
    throw badRequest('You do not have permission to initiate direct message conversations.')
  }
}

/**
 * Throws unless the channel accepts messages with this topic. A channel may require a topic or forbid one (levels 392
 * and 404).
 */
export function checkTopicPolicy(realm: RealmState, channel: ChannelRow, topic: string) {
  const policy = topicsPolicyOf(realm, channel)
  const data = { empty_topic_display_name: emptyTopicDisplayName }
  if (policy === 'disable_empty_topic' && topic === '') {
    throw badRequest(`Sending messages to the ${emptyTopicDisplayName} is not allowed in this channel.`, data)
  }
  if (policy === 'empty_topic_only' && topic !== '') {
    throw badRequest(`Only the ${emptyTopicDisplayName} topic is allowed in this channel.`, data)
  }
}

/** Returns which topics a channel takes: as it says itself, or the organization. */
export function topicsPolicyOf(realm: RealmState, { topics_policy }: ChannelRow) {
  return topics_policy === 'inherit' ? realmSettings(realm).topics_policy : topics_policy
}

/** Returns the conversation of exactly these users (sorted by id), if it has begun. */
export function conversationOf(
  realm: RealmState,
  people: readonly Pick<AccountRow, 'id'>[],
): RecipientRow | undefined {
  return realm.conversationByUsers(people.map((person) => person.id).join())
}
