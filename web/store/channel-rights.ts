import { channelOf, subscribed } from './channels.ts'
import { isPermitted, isPermittedMember } from './groups.ts'
import { field } from './server-state.ts'
import type { Channel } from './server-state-types.ts'

// The permissions of this user on channels, by the settings of the organization and the channel. The server decides;
// these functions only explain in advance what it would refuse.

/** The readers of a channel: everyone in the organization, subscribers (with or without earlier messages), the world. */
export const privacies = ['public', 'shared', 'protected', 'web_public'] as const
export type Privacy = (typeof privacies)[number]

export function privacyOf(channel: Channel): Privacy {
  if (channel.is_web_public) return 'web_public'
  if (!channel.invite_only) return 'public'
  return channel.history_public_to_subscribers ? 'shared' : 'protected'
}

/** The privacy as the parameters of a request have it; creating a channel names the first one `invite_only`. */
export function privacyParams(privacy: Privacy) {
  return {
    is_private: privacy === 'shared' || privacy === 'protected',
    is_web_public: privacy === 'web_public',
    history_public_to_subscribers: privacy !== 'protected',
  }
}

/** Whether the user may create channels of a kind. */
export function mayCreate(privacy: Privacy): boolean {
  if (privacy === 'web_public')
    return (
      hasWebPublic() &&
      mayCreate('public') &&
      isPermittedMember(field('realm_can_create_web_public_channel_group'))
    )
  return isPermittedMember(
    privacy === 'public'
      ? field('realm_can_create_public_channel_group')
      : field('realm_can_create_private_channel_group'),
  )
}

export function mayCreateAny(): boolean {
  return mayCreate('public') || mayCreate('shared')
}

/** Whether the organization has channels that can be read without an account. */
export function hasWebPublic(): boolean {
  return field('server_web_public_streams_enabled') && field('realm_enable_spectator_access')
}

export function administers(channel: Channel): boolean {
  return field('is_admin') || isPermittedMember(channel.can_administer_channel_group)
}

/** Whether the user may read a channel; administrators cannot by their role alone. */
export function canRead(channel: Channel): boolean {
  if (subscribed().has(channel.stream_id) || channel.is_web_public) return true
  if (!channel.invite_only && !field('is_guest')) return true
  return (
    isPermittedMember(channel.can_add_subscribers_group) || isPermittedMember(channel.can_subscribe_group)
  )
}

/** Whether the user can see a channel, and read it. */
export function isReadable(channelId: number): boolean {
  const channel = channelOf(channelId)
  return channel !== undefined && canRead(channel)
}

export function mayAddSubscribers(channel: Channel): boolean {
  if (channel.is_archived || !canRead(channel)) return false
  return (
    administers(channel) ||
    isPermittedMember(field('realm_can_add_subscribers_group')) ||
    isPermittedMember(channel.can_add_subscribers_group)
  )
}

export function mayRemoveSubscribers(channel: Channel): boolean {
  return administers(channel) || isPermitted(channel.can_remove_subscribers_group)
}

export function mayChooseTopicsPolicy(): boolean {
  return field('is_admin') || isPermitted(field('realm_can_set_topics_policy_group'))
}

export function mayChooseDeletePolicy(): boolean {
  return field('is_admin') || isPermittedMember(field('realm_can_set_delete_message_policy_group'))
}
