import { createRoot, createSignal } from 'solid-js'
import type { WireEvent } from '../../api/stream.ts'
import { isNotifiable } from '../../lib/notifiable.ts'
import { plainText } from '../../lib/plain-text.ts'
import { type Conversation, conversationKey, termsOf } from '../../lib/route.ts'
import { goTo, route } from '../../lib/router.ts'
import { isFollowed, isMutedTopic, subscribed } from '../../store/channels.ts'
import { conversationOfMessage, type Message } from '../../store/messages.ts'
import { avatarOf } from '../../store/people.ts'
import { conversationAt } from '../../store/places.ts'
import { currentState } from '../../store/server-state.ts'
import { onEvents } from '../../store/session.ts'
import { conversationName } from '../parts/conversation-name.ts'

/** How much of a message a notification shows, in characters. */
const excerpt = 200

const [permission, setPermission] = createRoot(() => createSignal(permissionNow()))

/** Whether the browser shows notifications: 'default' means that the user was not asked yet. */
export { permission }

/** Asks the user; browsers allow it only after a click. */
export async function askForNotifications() {
  await Notification.requestPermission()
  setPermission(permissionNow())
}

/** Notifications that are shown, by conversation, with the ids of their messages. */
const shown = new Map<string, { notification: Notification; ids: Set<number> }>()

/**
 * Shows desktop notifications of new messages. Of the tabs of one browser, only the one that holds a lock does, so that a
 * message is announced once; another takes over when that one closes.
 */
export function watchForNotifications() {
  if (!('Notification' in window)) return
  let isLeader = !navigator.locks
  void navigator.locks?.request('rookery-notifications', () => {
    isLeader = true
    return new Promise(() => {})
  })
  onEvents((events) => {
    for (const event of events) {
      if (event.type === 'message' && isLeader) announce(event as never)
      if (event.type === 'update_message_flags') closeRead(event)
    }
  })
}

function announce({ message, flags }: { message: Message; flags: string[] }) {
  if (permission() !== 'granted') return
  const conversation = conversationOfMessage(message)
  if (isLookedAt(conversation) || !isWanted(message, flags)) return
  const key = conversationKey(conversation)
  const before = shown.get(key)
  const title =
    'userIds' in conversation
      ? message.sender_full_name
      : `${message.sender_full_name} (${conversationName(conversation)})`
  const notification = new Notification(title, {
    body: plainText(message.content).slice(0, excerpt),
    tag: key,
    icon: avatarOf(message.sender_id),
  })
  notification.addEventListener('click', () => {
    window.focus()
    goTo({ view: 'narrow', terms: termsOf(conversation, currentState().user_id), near: message.id })
    notification.close()
  })
  shown.set(key, { notification, ids: new Set([...(before?.ids ?? []), message.id]) })
}

/** A notification goes when all of its messages were read, here or elsewhere. */
function closeRead({ op, flag, messages, all }: WireEvent) {
  if (op !== 'add' || flag !== 'read') return
  for (const [key, { notification, ids }] of shown) {
    for (const id of messages as number[]) ids.delete(id)
    if (ids.size > 0 && !all) continue
    notification.close()
    shown.delete(key)
  }
}

/** Whether the user has the conversation before their eyes. */
function isLookedAt(conversation: Conversation) {
  if (document.visibilityState === 'hidden' || !document.hasFocus()) return false
  const open = conversationAt(route())
  return open && conversationKey(open) === conversationKey(conversation)
}

function isWanted({ type, stream_id = 0, subject, sender_id }: Message, flags: string[]) {
  const isDirect = type === 'private'
  const facts = {
    isDirect,
    flags,
    isOwn: sender_id === currentState().user_id,
    isMuted: !isDirect && isMutedTopic(stream_id, subject),
    isFollowed: !isDirect && isFollowed(stream_id, subject),
    channelSetting: subscribed().get(stream_id)?.desktop_notifications,
  }
  return isNotifiable(facts, currentState().user_settings)
}

function permissionNow(): NotificationPermission {
  return 'Notification' in window ? Notification.permission : 'denied'
}
