import { batch, createRoot, createSignal } from 'solid-js'
import { type ApiFailure, pauseAfter, post } from '../api/client.ts'
import { type Conversation, conversationKey, titled } from '../lib/route.ts'
import { subscribed } from './channels.ts'
import { type Message, message } from './messages.ts'
import { keepOutgoing, takeLeftOutgoing } from './outbox-storage.ts'
import { readByIds } from './read-messages.ts'
import { currentState } from './server-state.ts'
import { joinWindows } from './windows.ts'

/** A message that this client sends: shown as typed until the server's own message takes its place. */
export type Outgoing = {
  /** Unique among the messages of this queue; the server recognizes a repeated send by it. */
  localId: string
  conversation: Conversation
  content: string
  /** Seconds since 1970. */
  at: number
  status: 'waiting' | 'sending' | 'failed'
  /** Why the server has refused it, in its words. */
  reason?: string
  /** The queue in whose name it was first sent. */
  queueId: string
  /** The author: another user may sign in in the same browser. */
  userId: number
  /** The message that has come of it. */
  messageId?: number
}

/** How often a send is repeated that the server could not carry out, before the user is asked. */
const attempts = 6
/** How long an answered send waits for its event, in milliseconds, before its message is read: the queue may no longer tell of it. */
const eventWithin = 10_000

const [outgoing, setOutgoing] = createRoot(() => createSignal<Outgoing[]>([]))

export { outgoing }

/** The user's messages to a conversation that have not arrived, in the order of their sending. */
export function outgoingTo(conversation: Conversation): Outgoing[] {
  const key = conversationKey(conversation)
  return outgoing().filter((one) => conversationKey(one.conversation) === key)
}

/** Sends a message, behind those to the same conversation that are still on their way. */
export function sendMessage(to: Conversation, content: string) {
  const conversation = titled(to)
  const { queue_id: queueId, user_id: userId } = currentState()
  const localId = `${Date.now()}.${String(Math.floor(Math.random() * 1e6)).padStart(6, '0')}`
  const at = Math.floor(Date.now() / 1000)
  update((all) => [...all, { localId, conversation, content, at, status: 'waiting', queueId, userId }])
  void sendNext(conversationKey(conversation))
}

/** Tries a failed message again. */
export function retry(localId: string) {
  const found = outgoing().find((one) => one.localId === localId)
  if (!found) return
  change(localId, { status: 'waiting' })
  void sendNext(conversationKey(found.conversation))
}

/** Gives a message up that has failed. */
export function discard(localId: string) {
  update((all) => all.filter((one) => one.localId !== localId))
}

/** A message has come: it takes the place of what was shown for it. */
export function settleOutgoing(localId: string | undefined, messageId: number) {
  if (!outgoing().some((one) => one.localId === localId || one.messageId === messageId)) return
  update((all) => all.filter((one) => one.localId !== localId && one.messageId !== messageId))
}

/** Takes up what closed or crashed tabs have left. */
export async function restoreOutbox() {
  const left = await takeLeftOutgoing(currentState().user_id)
  if (left.length === 0) return
  const known = new Set(outgoing().map(({ localId }) => localId))
  const taken = left
    .filter(({ localId }) => !known.has(localId))
    .map((one) => (one.status === 'failed' ? one : { ...one, status: 'waiting' as const }))
  update((all) => [...taken, ...all])
  resumeOutbox()
}

let wake: (() => void)[] = []

/** Sends what waits, after the connection has come back. */
export function resumeOutbox() {
  for (const go of wake.splice(0)) go()
  for (const key of new Set(outgoing().map((one) => conversationKey(one.conversation)))) void sendNext(key)
}

addEventListener('online', resumeOutbox)

const sending = new Set<string>()

/** Sends the messages of a conversation one after the other, so that they arrive in order. */
async function sendNext(key: string) {
  if (sending.has(key)) return
  sending.add(key)
  try {
    for (let next = waitingIn(key); next; next = waitingIn(key)) {
      change(next.localId, { status: 'sending' })
      if (!(await send(next))) break
    }
  } finally {
    sending.delete(key)
  }
}

/** Returns whether the following message may go out now. */
async function send(one: Outgoing): Promise<boolean> {
  const { localId, conversation, content, queueId } = one
  for (let attempt = 0; ; attempt++) {
    try {
      const body = { ...recipientOf(conversation), content, queue_id: queueId, local_id: localId }
      const { id } = await post<{ id: number }>('/messages', body)
      arrived(one, id)
      return true
    } catch (error) {
      const failure = error as ApiFailure
      // The session has ended: it waits until its author signs in.
      if (failure.status === 401) {
        change(localId, { status: 'waiting' })
        return false
      }
      // Without a connection it waits, however long; the server's failures are repeated a few times.
      const isUnreachable = failure.status === 0
      if (!failure.isTemporary || (attempt >= attempts && !isUnreachable)) {
        change(localId, { status: 'failed', reason: failure.message })
        return !failure.isTemporary
      }
      await pause(pauseAfter(failure, attempt) * 1000)
    }
  }
}

/** Normally, the event of the message comes first and has shown the message. None comes of a channel to which the user is not subscribed. */
function arrived({ localId, conversation }: Outgoing, messageId: number) {
  if (message(messageId)) return discard(localId)
  change(localId, { messageId })
  const channelId = 'channelId' in conversation ? conversation.channelId : undefined
  const hasEvent = channelId === undefined || subscribed().has(channelId)
  setTimeout(() => void show(localId, messageId, channelId), hasEvent ? eventWithin : 0)
}

/** Shows the message that has come of a send, if its event has not. */
async function show(localId: string, messageId: number, channelId: number | undefined) {
  const settle = () => discard(localId)
  if (message(messageId)) return settle()
  const take = ({ messages }: { messages: Message[] }) => {
    messages.forEach(joinWindows)
    settle()
  }
  const narrow = channelId === undefined ? [] : [{ operator: 'channel', operand: channelId }]
  await readByIds([messageId], take, narrow).catch(settle)
}

function recipientOf(conversation: Conversation) {
  if (!('userIds' in conversation)) {
    return { type: 'channel', to: conversation.channelId, topic: conversation.topic }
  }
  const { userIds } = conversation
  return { type: 'direct', to: userIds.length > 0 ? userIds : [currentState().user_id] }
}

/** Waits, but not beyond the return of the connection. */
function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    const go = () => {
      clearTimeout(timer)
      wake = wake.filter((one) => one !== go)
      resolve()
    }
    const timer = setTimeout(go, milliseconds)
    wake.push(go)
  })
}

/** The next message to send: only the user's own, never those of another who was signed in before. */
function waitingIn(key: string) {
  const { user_id: userId } = currentState()
  return outgoing().find(
    (one) => one.status === 'waiting' && one.userId === userId && conversationKey(one.conversation) === key,
  )
}

function change(localId: string, part: Partial<Outgoing>) {
  update((all) => all.map((one) => (one.localId === localId ? { ...one, ...part } : one)))
}

function update(next: (all: Outgoing[]) => Outgoing[]) {
  batch(() => keepOutgoing(setOutgoing(next).filter(({ messageId }) => messageId === undefined)))
}
