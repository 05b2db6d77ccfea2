import { type Conversation, conversationOf, type Route } from '../../lib/route.ts'
import { currentState } from '../../store/server-state.ts'
import { unreadInDirect, unreadInTopic } from '../../store/unread.ts'
import { markRead, toggleMute } from '../message/commands.ts'

/** Marks the conversation to which an address leads as read. */
export function markPlaceRead(place: Route) {
  const conversation = conversationAt(place)
  if (!conversation) return
  const unread =
    'userIds' in conversation
      ? unreadInDirect(conversation.userIds)
      : unreadInTopic(conversation.channelId, conversation.topic)
  markRead(unread?.ids ?? [])
}

/** Mutes the topic to which an address leads, or unmutes it. */
export function mutePlace(place: Route) {
  const conversation = conversationAt(place)
  if (conversation && 'channelId' in conversation) toggleMute(conversation)
}

function conversationAt(place: Route): Conversation | undefined {
  return place.view === 'narrow' ? conversationOf(place.terms, currentState().user_id) : undefined
}
