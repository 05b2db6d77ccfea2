import { createEffect, createRoot } from 'solid-js'
import type { WireEvent } from '../../api/stream.ts'
import { inTurn } from '../../lib/in-turn.ts'
import { closeNotes, type DesktopNote, rewriteNote, showNote } from '../../lib/notes.ts'
import { isNotifiable, type Way } from '../../lib/notifiable.ts'
import { type Conversation, conversationKey, termsOf } from '../../lib/route.ts'
import { goToHash, linkTo, route } from '../../lib/router.ts'
import type { Question } from '../../lib/worker-questions.ts'
import { isFollowed, isMutedTopic, subscribed } from '../../store/channels.ts'
import { conversationOfMessage, type Message } from '../../store/messages.ts'
import { avatarOf } from '../../store/people.ts'
import { conversationAt } from '../../store/places.ts'
import { turnOnPush } from '../../store/push.ts'
import { currentState, loadFollowing } from '../../store/server-state.ts'
import { isConnected, onEvents } from '../../store/session.ts'
import { conversationName } from '../parts/conversation-name.ts'
import { excerptOf } from '../parts/excerpt.ts'
import { permission } from './notifications.ts'
import { playSound } from './sounds.ts'

/** How much of a message a notification shows, in characters. */
const excerpt = 200

/** Notifications that this tab shows without a service worker, by conversation, with the ids of their messages. */
const shown = new Map<string, { notification: Notification; note: DesktopNote; ids: Set<number> }>()

// Notifications of one conversation replace each other, so events are handled one after another.
const handle = inTurn()

let isLeader = false

/** The id of the newest message of which this tab has heard by an event. */
let newest = 0

/** For how long the event of a pushed message may be under way, in milliseconds; less than the worker waits. */
const eventPatience = 1000

const forever = new Promise<never>(() => {})

/**
 * Takes a lock that one tab of a browser holds. Only this tab announces messages, so that each is announced once; another takes
 * over when it closes. Returns when it is known whether this tab has the lock.
 */
export async function seekLead() {
  if (!navigator.locks) {
    isLeader = true
    return
  }
  const name = 'rookery-notifications'
  await new Promise<void>((decided) => {
    const lead = (lock: Lock | null) => {
      isLeader = Boolean(lock)
      if (isLeader) void loadFollowing().then(({ keepConnection }) => keepConnection())
      decided()
      return lock ? forever : undefined
    }
    void navigator.locks
      .request(name, { ifAvailable: true }, lead)
      .then(() => navigator.locks.request(name, lead))
  })
}

/** Tells of new messages by notifications and sounds, and of those in events that came before. */
export function announceMessages(early: WireEvent[]) {
  const receive = (events: WireEvent[]) => {
    for (const event of events) {
      if (event.type === 'message') hear(event as never)
      if (event.type === 'update_message_flags') closeRead(event)
      if (event.type === 'delete_message') closeDeleted(event)
      if (event.type === 'update_message') rewrite(event as never)
    }
  }
  receive(early)
  onEvents(receive)
  navigator.serviceWorker?.addEventListener('message', ({ data, ports: [port] }) => {
    void answerTo(data).then((answer) => port?.postMessage(answer))
  })
  createRoot(() =>
    createEffect(() => {
      if (permission() === 'granted') void turnOnPush()
    }),
  )
}

async function answerTo(question: Question): Promise<boolean> {
  if (question.type === 'announces') return isLeader && isConnected() && hasHeardOf(question.id)
  goToHash(question.hash)
  return true
}

/** A tab that has slept may not know yet that its stream is dead, so what counts is the message itself. */
async function hasHeardOf(id: number): Promise<boolean> {
  const start = performance.now()
  while (newest < id && performance.now() - start < eventPatience) {
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  return newest >= id
}

function hear(event: { message: Message; flags: string[] }) {
  newest = Math.max(newest, event.message.id)
  if (isLeader) announce(event)
}

function announce({ message, flags }: { message: Message; flags: string[] }) {
  const conversation = conversationOfMessage(message)
  if (isLookedAt(conversation)) return
  if (isWanted('sound', message, flags))
    void playSound(String(currentState().user_settings.notification_sound))
  if (permission() === 'granted' && isWanted('desktop', message, flags)) show(message, conversation)
}

function show(message: Message, conversation: Conversation) {
  const note = {
    id: message.id,
    tag: conversationKey(conversation),
    title:
      'userIds' in conversation
        ? message.sender_full_name
        : `${message.sender_full_name} (${conversationName(conversation)})`,
    body: bodyOf(message, 'userIds' in conversation),
    icon: avatarOf(message.sender_id),
    hash: linkTo({
      view: 'narrow',
      terms: termsOf(conversation, currentState().user_id),
      near: message.id,
    }),
  }
  void handle(async () => {
    const registration = await navigator.serviceWorker?.getRegistration('/')
    // Through the worker, so that a push of the same message is not shown again.
    if (registration?.active) await showNote(registration, note).catch(() => showHere(note))
    else showHere(note)
  })
}

/** The text of a notification, unless the user wants that of direct messages hidden. */
function bodyOf(message: Parameters<typeof excerptOf>[0], isDirect: boolean) {
  if (isDirect && !currentState().user_settings.pm_content_in_desktop_notifications) return ''
  return excerptOf(message).slice(0, excerpt)
}

function showHere(note: DesktopNote) {
  const { id, tag, title, body, icon, hash } = note
  const notification = new Notification(title, { body, tag, icon })
  notification.addEventListener('click', () => {
    window.focus()
    goToHash(hash)
    notification.close()
  })
  shown.set(tag, { notification, note, ids: new Set([...(shown.get(tag)?.ids ?? []), id]) })
}

type Edit = { message_id: number; stream_id?: number; rendered_content?: string }

/** The text of a notification follows edits of its message. */
function rewrite({ message_id: id, stream_id, rendered_content: content }: Edit) {
  if (content === undefined) return
  const body = bodyOf({ content, submessages: [] }, stream_id === undefined)
  void handle(async () => {
    for (const { note } of shown.values())
      if (note.id === id && note.body !== body) showHere({ ...note, body })
    const registration = await navigator.serviceWorker?.getRegistration('/')
    if (registration) await rewriteNote(registration, id, body)
  })
}

/** A notification goes when all of its messages were read, here or elsewhere. */
function closeRead({ op, flag, messages, all }: WireEvent) {
  if (op === 'add' && flag === 'read') close(all ? undefined : (messages as number[]))
}

/** Closes notifications whose newest message was deleted, since they show its text. */
function closeDeleted({ message_ids, message_id }: WireEvent) {
  close((message_ids ?? [message_id]) as number[], true)
}

/** Whether a notification of these messages goes: all of them are over, or the newest one, whose text it has, is gone. */
function isOver(ids: number[], over: readonly number[] | undefined, areGone: boolean): boolean {
  const [newest] = ids.slice(-1)
  return !over || ids.every((id) => over.includes(id)) || (areGone && over.includes(newest ?? 0))
}

/** Without ids, all of them are over. */
function close(over: number[] | undefined, areGone = false) {
  void handle(async () => {
    for (const [key, { notification, ids }] of shown) {
      if (!isOver([...ids], over, areGone)) {
        for (const id of over ?? []) ids.delete(id)
        continue
      }
      notification.close()
      shown.delete(key)
    }
    const registration = await navigator.serviceWorker?.getRegistration('/')
    if (registration) await closeNotes(registration, over)
  })
}

const channelKeys = { desktop: 'desktop_notifications', sound: 'audible_notifications' } as const

/** Whether the user has the conversation before their eyes. */
function isLookedAt(conversation: Conversation) {
  if (document.visibilityState === 'hidden' || !document.hasFocus()) return false
  const open = conversationAt(route())
  return open && conversationKey(open) === conversationKey(conversation)
}

function isWanted(way: Way, { type, stream_id = 0, subject, sender_id }: Message, flags: string[]) {
  const isDirect = type === 'private'
  const facts = {
    isDirect,
    flags,
    isOwn: sender_id === currentState().user_id,
    isMuted: !isDirect && isMutedTopic(stream_id, subject),
    isFollowed: !isDirect && isFollowed(stream_id, subject),
    channelSetting: subscribed().get(stream_id)?.[channelKeys[way]],
  }
  return isNotifiable(way, facts, currentState().user_settings)
}
