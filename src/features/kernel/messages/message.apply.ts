import type { ClientState } from '../../../queues/client-state.ts'
import { addUnread, isMention, type MessageDetails, mutingFor } from '../flags/client-unread.ts'

type Message = {
  id: number
  stream_id?: number
  subject: string
  /** The name of the channel, or the participants. */
  display_recipient: string | { id: number }[]
  type: string
}
type WireMessageEvent = { message: Message; flags: string[] }

export function applyMessage(state: ClientState, event: WireMessageEvent) {
  const { message, flags } = event
  if (!isReceived(state, message)) return
  if (state.max_message_id !== undefined) state.max_message_id = Math.max(state.max_message_id, message.id)
  if (message.type === 'private') applyToConversations(state, message)
  if (state.unread_msgs && !flags.includes('read')) {
    addUnread(state, { [message.id]: detailsOf(state, event) })
  }
}

/**
 * Returns whether the current user received the message. Messages in channels to which the user is not subscribed are
 * neither unread nor their newest. A channel in no list at all is an archived one of the user's that this client does
 * not show.
 */
function isReceived(state: ClientState, { stream_id }: Message) {
  if (stream_id === undefined) return true
  const isHere = (channel: { stream_id: number }) => channel.stream_id === stream_id
  // There are few of the first kind, and thousands of the last.
  if (state.subscriptions?.some(isHere)) return true
  return !state.unsubscribed?.some(isHere) && !state.never_subscribed?.some(isHere)
}

function applyToConversations(state: ClientState, message: Message) {
  if (!state.recent_private_conversations) return
  const userIds = othersIn(state, message)
  const rest = state.recent_private_conversations.filter(
    (conversation: { user_ids: number[] }) => conversation.user_ids.join() !== userIds.join(),
  )
  state.recent_private_conversations = [{ max_message_id: message.id, user_ids: userIds }, ...rest]
}

function detailsOf(state: ClientState, { message, flags }: WireMessageEvent): MessageDetails {
  const { type, stream_id = 0, subject: topic } = message
  const isMuted = type !== 'private' && mutingFor(state)(stream_id, topic)
  const mentioned = isMention(flags, isMuted) && { mentioned: true as const }
  if (type === 'private') return { type, user_ids: othersIn(state, message), ...mentioned }
  return { type: 'stream', stream_id, topic, unmuted_stream_msg: !isMuted, ...mentioned }
}

function othersIn(state: ClientState, message: Message): number[] {
  const { display_recipient: people } = message
  if (typeof people === 'string') return []
  return people.map(({ id }) => id).filter((id) => id !== state.user_id)
}
