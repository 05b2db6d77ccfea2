import { createRoot, createSignal } from 'solid-js'
import type { Conversation } from '../lib/route.ts'
import { route } from '../lib/router.ts'
import { channelAt } from './places.ts'

/** The conversation of a text that has no recipients yet. */
export const nowhere: Conversation = { channelId: 0, topic: '' }

/** A conversation that is begun: its kind, and as much of its address as is known. */
export type NewConversation = {
  kind: 'topic' | 'direct'
  conversation: Conversation
  /** Files to attach when the box is shown. */
  files?: File[]
}

const [beginning, setBeginning] = createRoot(() => createSignal<NewConversation>())

export { beginning, setBeginning }

/** Opens the box for a new topic: in a channel, or in that of the view. */
export function beginTopic(channelId = channelAt(route())) {
  setBeginning({ kind: 'topic', conversation: { channelId: channelId ?? 0, topic: '' } })
}

/** Opens the box for a new direct message. */
export function beginDirect(userIds: number[] = []) {
  setBeginning({ kind: 'direct', conversation: userIds.length > 0 ? { userIds } : nowhere })
}

export function stopBeginning() {
  setBeginning(undefined)
}

/** How many texts are being written; the drafts themselves are loaded later. */
export const [draftCount, setDraftCount] = createRoot(() => createSignal(0))
