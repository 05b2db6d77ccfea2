import { createRoot, createSignal } from 'solid-js'
import { type Conversation, conversationKey } from '../lib/route.ts'
import { onMoves } from './session.ts'

type MoveEvent = {
  type: string
  stream_id?: number
  new_stream_id?: number
  orig_subject?: string
  subject?: string
  propagate_mode?: string
}

/** The new conversations of topics that were moved while this page was open. */
const [moves, setMoves] = createRoot(() => createSignal<Record<string, Conversation>>({}))

/** Returns the new conversation of a topic, if all of it was moved while this page was open. */
export function movedTo(conversation: Conversation): Conversation | undefined {
  return moves()[conversationKey(conversation)]
}

/** Forgets a move, when the user writes on in the old place. */
export function forgetMove(conversation: Conversation) {
  setMoves(({ [conversationKey(conversation)]: _, ...others }) => others)
}

export function startMoves() {
  onMoves((events) => {
    for (const event of events) if (event.type === 'update_message') hear(event as unknown as MoveEvent)
  })
}

function hear({ stream_id, new_stream_id, orig_subject, subject, propagate_mode }: MoveEvent) {
  if (stream_id === undefined || orig_subject === undefined || propagate_mode !== 'change_all') return
  const from = { channelId: stream_id, topic: orig_subject }
  const to = { channelId: new_stream_id ?? stream_id, topic: subject ?? orig_subject }
  if (conversationKey(from) === conversationKey(to)) return
  setMoves(({ [conversationKey(to)]: _, ...others }) => ({ ...others, [conversationKey(from)]: to }))
}
