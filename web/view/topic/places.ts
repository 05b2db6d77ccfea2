import type { Route } from '../../lib/route.ts'
import { conversationAt } from '../../store/places.ts'
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
