import { channelOf } from '../../store/channels.ts'
import { isPermitted } from '../../store/groups.ts'
import type { Message } from '../../store/messages.ts'
import { currentState, field } from '../../store/server-state.ts'
import type { Channel, GroupSetting } from '../../store/server-state-types.ts'
import { isSpectator } from '../../store/spectator.ts'

// The permissions of this user, by the settings of the organization and the channel. The server decides; these
// functions only hide what it would refuse.

/** Until when something is allowed, in seconds since 1970; `Infinity` without a limit, undefined if it is not allowed. */
export type Deadline = number | undefined

type ChannelPermission = keyof Channel & `can_${string}`

/** Whether messages can change, and take reactions and votes. Those in archived channels cannot. */
function isOpenToChanges(channelId: number | undefined): boolean {
  return channelId === undefined || channelOf(channelId)?.is_archived !== true
}

/** Whether the user may react to a message, or vote in it. */
export function mayReact({ stream_id }: Message): boolean {
  return !isSpectator() && isOpenToChanges(stream_id)
}

/** Whether the organization or the channel permits the user to change messages in some way. */
function may(setting: GroupSetting, channelId: number | undefined, inChannel: ChannelPermission) {
  const channel = channelId === undefined ? undefined : channelOf(channelId)
  if (channel?.is_archived) return false
  return (
    isPermitted(setting) ||
    (channel !== undefined &&
      (isPermitted(channel[inChannel]) || isPermitted(channel.can_administer_channel_group)))
  )
}

export function isOwn(message: Message) {
  return message.sender_id === currentState().user_id
}

export function editDeadline(message: Message): Deadline {
  if (!isOwn(message) || !field('realm_allow_message_editing') || !isOpenToChanges(message.stream_id))
    return undefined
  return within(message, field('realm_message_content_edit_limit_seconds'))
}

export function deleteDeadline(message: Message): Deadline {
  const { stream_id } = message
  if (may(field('realm_can_delete_any_message_group'), stream_id, 'can_delete_any_message_group'))
    return Infinity
  const own = may(field('realm_can_delete_own_message_group'), stream_id, 'can_delete_own_message_group')
  if (!isOwn(message) || !own) return undefined
  return within(message, field('realm_message_content_delete_limit_seconds'))
}

/** Whether the topic of messages may change. `message`: whose age counts, none for whole topics. */
export function mayMoveTopic(channelId: number, message?: Message): boolean {
  const setting = field('realm_can_move_messages_between_topics_group')
  if (channelOf(channelId)?.topics_policy === 'empty_topic_only') return false
  if (!may(setting, channelId, 'can_move_messages_within_channel_group')) return false
  return (
    isModerator() ||
    !message ||
    isOpen(within(message, field('realm_move_messages_within_stream_limit_seconds')))
  )
}

export function mayMoveChannel(channelId: number, message?: Message): boolean {
  const setting = field('realm_can_move_messages_between_channels_group')
  if (!may(setting, channelId, 'can_move_messages_out_of_channel_group')) return false
  return (
    isModerator() ||
    !message ||
    isOpen(within(message, field('realm_move_messages_between_streams_limit_seconds')))
  )
}

export function mayResolve(channelId: number): boolean {
  return may(field('realm_can_resolve_topics_group'), channelId, 'can_resolve_topics_group')
}

/** Only administrators may delete whole topics, those of archived channels included. */
export function mayDeleteTopics(): boolean {
  return field('is_admin')
}

export function isOpen(deadline: Deadline): boolean {
  return deadline !== undefined && deadline > Date.now() / 1000
}

function isModerator() {
  return field('is_admin') || field('is_moderator')
}

function within({ timestamp }: Message, seconds: number | null): Deadline {
  return seconds === null ? Infinity : timestamp + seconds
}
