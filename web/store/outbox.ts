import { createRoot, createSignal } from 'solid-js'
import { type ApiFailure, post } from '../api/client.ts'
import { type Conversation, conversationKey } from '../lib/route.ts'
import { currentState } from './server-state.ts'

/** A message that this client sends: shown as typed until the server's own message takes its place. */
export type Outgoing = {
  /** Unique among the messages of this queue; the server recognises a repeated send by it. */
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
}

const storageKey = 'rookery.outbox'

const [outgoing, setOutgoing] = createRoot(() => createSignal<Outgoing[]>([]))

export { outgoing }

/** The user's messages to a conversation that have not arrived, in the order of their sending. */
export function outgoingTo(conversation: Conversation): Outgoing[] {
  const key = conversationKey(conversation)
  return outgoing().filter((one) => conversationKey(one.conversation) === key)
}

/** Sends a message, behind those to the same conversation that are still on their way. */
export function sendMessage(conversation: Conversation, content: string) {
  const { queue_id: queueId } = currentState()
  const localId = `${Date.now()}.${String(Math.floor(Math.random() * 1e6)).padStart(6, '0')}`
  const at = Math.floor(Date.now() / 1000)
  update((all) => [...all, { localId, conversation, content, at, status: 'waiting', queueId }])
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

/** The server's message has come: it takes the place of what was shown for it. */
export function settleOutgoing(localId: string, _messageId: number) {
  discard(localId)
}

/** Takes up what a closed or crashed tab has left. */
export function restoreOutbox() {
  const stored = sessionStorage.getItem(storageKey)
  if (!stored) return
  const left = (JSON.parse(stored) as Outgoing[]).map((one) => ({ ...one, status: 'waiting' as const }))
  update(() => left)
  resumeOutbox()
}

/** Sends what waits, after the connection has come back. */
export function resumeOutbox() {
  for (const key of new Set(outgoing().map((one) => conversationKey(one.conversation)))) void sendNext(key)
}

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
async function send({ localId, conversation, content, queueId }: Outgoing): Promise<boolean> {
  const to =
    'userIds' in conversation
      ? {
          type: 'direct',
          to: conversation.userIds.length > 0 ? conversation.userIds : [currentState().user_id],
        }
      : { type: 'channel', to: conversation.channelId, topic: conversation.topic }
  for (let attempt = 0; ; attempt++) {
    try {
      await post('/messages', { ...to, content, queue_id: queueId, local_id: localId })
      // Its event normally comes first. If this queue no longer tells of it, the answer is enough.
      setTimeout(() => discard(localId), 3000)
      return true
    } catch (error) {
      const failure = error as ApiFailure
      if (!failure.isTemporary || attempt >= 6) {
        change(localId, { status: 'failed', reason: failure.status === 0 ? '' : failure.message })
        return !failure.isTemporary
      }
      await new Promise((resolve) =>
        setTimeout(resolve, (failure.retryAfter ?? Math.min(30, 2 ** attempt)) * 1000),
      )
    }
  }
}

function waitingIn(key: string) {
  const all = outgoing().filter((one) => conversationKey(one.conversation) === key)
  return all.find(({ status }) => status === 'waiting')
}

function change(localId: string, part: Partial<Outgoing>) {
  update((all) => all.map((one) => (one.localId === localId ? { ...one, ...part } : one)))
}

function update(next: (all: Outgoing[]) => Outgoing[]) {
  const all = setOutgoing(next)
  if (all.length === 0) sessionStorage.removeItem(storageKey)
  else sessionStorage.setItem(storageKey, JSON.stringify(all))
}
