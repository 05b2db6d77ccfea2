import { createRoot, createSignal } from 'solid-js'
import { post } from '../api/client.ts'
import { type Conversation, conversationKey } from '../lib/route.ts'
import { isReadable } from './channel-rights.ts'
import { setEdited } from './editors.ts'
import { conversationOfMessage, type Message } from './messages.ts'
import { currentState } from './server-state.ts'
import { onEvents } from './session.ts'

type TypingEvent = {
  op: 'start' | 'stop'
  message_type: 'direct' | 'stream'
  sender: { user_id: number }
  recipients?: { user_id: number }[]
  stream_id?: number
  topic?: string
}

type EditingEvent = { op: 'start' | 'stop'; sender_id: number; message_id: number }

/** When the typing of users ends, by conversation and user, in milliseconds since 1970. */
const [typing, setTyping] = createRoot(() => createSignal<Record<string, Record<number, number>>>({}))

/** Returns the users who are writing in a conversation now. */
export function typingIn(conversation: Conversation): number[] {
  return Object.keys(typing()[conversationKey(conversation)] ?? {}).map(Number)
}

/** Follows who types, from the events. */
export function startTyping() {
  onEvents((events) => {
    for (const event of events) {
      if (event.type === 'typing') hear(event as unknown as TypingEvent)
      // A message ends the typing of its author, before the author's client says so.
      if (event.type === 'message') stopped((event.message as { sender_id: number }).sender_id)
      if (event.type === 'typing_edit_message') hearEditing(event as unknown as EditingEvent)
      if (event.type === 'update_message') endEditing(event.message_id as number)
    }
  })
}

function hear({ op, sender, recipients, stream_id: channelId, topic = '' }: TypingEvent) {
  const { user_id: own } = currentState()
  if (sender.user_id === own) return
  const userIds = (recipients ?? []).map(({ user_id }) => user_id).filter((id) => id !== own)
  const key = conversationKey(channelId === undefined ? { userIds } : { channelId, topic })
  if (op === 'stop') {
    drop(key, sender.user_id)
    return
  }
  const period = currentState().server_typing_started_expiry_period_milliseconds
  const until = Date.now() + period
  setTyping((all) => ({ ...all, [key]: { ...all[key], [sender.user_id]: until } }))
  setTimeout(() => {
    if ((typing()[key]?.[sender.user_id] ?? 0) <= until) drop(key, sender.user_id)
  }, period)
}

const editing = new Map<number, ReturnType<typeof setTimeout>>()

/** Shows that a message is being edited, until its author stops or is not heard of for some time. */
function hearEditing({ op, sender_id: senderId, message_id: id }: EditingEvent) {
  if (senderId === currentState().user_id) return
  endEditing(id)
  if (op === 'stop') return
  const period = currentState().server_typing_started_expiry_period_milliseconds
  editing.set(
    id,
    setTimeout(() => endEditing(id), period),
  )
  setEdited(new Set(editing.keys()))
}

function endEditing(id: number) {
  const timer = editing.get(id)
  if (timer === undefined) return
  clearTimeout(timer)
  editing.delete(id)
  setEdited(new Set(editing.keys()))
}

function stopped(userId: number) {
  for (const key of Object.keys(typing())) drop(key, userId)
}

function drop(key: string, userId: number) {
  if (typing()[key]?.[userId] === undefined) return
  setTyping(({ [key]: { [userId]: _, ...rest } = {}, ...others }) =>
    Object.keys(rest).length > 0 ? { ...others, [key]: rest } : others,
  )
}

/** `send`: tells the others of the beginning or end. */
type Work = { key: string; conversation: Conversation; send(op: 'start' | 'stop'): Promise<unknown> }
type Told = Work & { at: number; timer: ReturnType<typeof setTimeout> | undefined }
let told: Told | undefined

/** Tells the others that the user writes, as often as the server wants it. */
export function tellTyping(conversation: Conversation) {
  const to =
    'userIds' in conversation
      ? { type: 'direct', to: conversation.userIds }
      : { type: 'channel', stream_id: conversation.channelId, topic: conversation.topic }
  tell({ key: conversationKey(conversation), conversation, send: (op) => post('/typing', { ...to, op }) })
}

/** Tells the others that the user edits a message, as often. */
export function tellEditing(message: Message) {
  const { id } = message
  const conversation = conversationOfMessage(message)
  tell({ key: `edit:${id}`, conversation, send: (op) => post(`/messages/${id}/typing`, { op }) })
}

function tell(work: Work) {
  if (told && told.key !== work.key) tellStopped()
  const {
    server_typing_started_wait_period_milliseconds: again,
    server_typing_stopped_wait_period_milliseconds: pause,
  } = currentState()
  if (!told || Date.now() - told.at >= again) {
    told = { ...work, at: Date.now(), timer: told?.timer }
    send(told, 'start')
  }
  clearTimeout(told.timer)
  told.timer = setTimeout(tellStopped, pause)
}

/** Tells the others that the user has stopped, if they were told of the beginning. */
export function tellStopped() {
  if (!told) return
  clearTimeout(told.timer)
  send(told, 'stop')
  told = undefined
}

function mayTell(conversation: Conversation) {
  const settings = currentState().user_settings
  if (!('userIds' in conversation)) {
    const isKnown = isReadable(conversation.channelId) && !conversation.isUntitled
    return settings.send_stream_typing_notifications && isKnown
  }
  return settings.send_private_typing_notifications && conversation.userIds.length > 0
}

function send(work: Work, op: 'start' | 'stop') {
  // Also of the end only if the user may still read there. Nobody is told of a failure: it is a courtesy.
  if (mayTell(work.conversation)) work.send(op).catch(() => {})
}
