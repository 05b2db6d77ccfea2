import { leavesState } from '../../../queues/client-state.ts'
import type { EventType } from '../../../queues/event-type.ts'
import { authorVariant, authorView } from '../users/author-view.ts'
import type { Reaction } from './reactions.ts'

type ReactionEvent = Reaction & { type: 'reaction'; op: 'add' | 'remove'; message_id: number }

export function reactionAdded(messageId: number, reaction: Reaction): ReactionEvent {
  return { type: 'reaction', op: 'add', message_id: messageId, ...reaction }
}

export function reactionRemoved(messageId: number, reaction: Reaction): ReactionEvent {
  return { type: 'reaction', op: 'remove', message_id: messageId, ...reaction }
}

declare module '../../../log/entry.ts' {
  interface Events {
    reaction: ReactionEvent
  }
}

export const reactionEvent = {
  type: 'reaction',

  variant({ user_id }, { state, me }) {
    return authorVariant(state, state.users.require(user_id), me)
  },

  wire(event, { state, site, me }) {
    const { user_id } = event
    // Until level 484.
    return { ...event, user: { user_id, ...authorView(state, site, state.users.require(user_id), me) } }
  },

  // Reactions belong to messages, which are not part of the registered state.
  apply: leavesState,
} satisfies EventType<ReactionEvent>
