import type { AccountRow } from '../../db/schema.ts'
import type { Site } from '../../lib/site.ts'
import type { RealmState } from '../../log/realm-state.ts'
import type { EventType } from '../../queues/event-type.ts'
import { apiEmail } from '../users/user-view.ts'
import type { Reaction } from './reactions.ts'

export type ReactionEvent = Reaction & {
  type: 'reaction'
  op: 'add' | 'remove'
  /** Until level 484. */
  user: { user_id: number; email: string; full_name: string }
  message_id: number
}

export function reactionAdded(
  messageId: number,
  reaction: Reaction,
  user: ReactionEvent['user'],
): ReactionEvent {
  return { type: 'reaction', op: 'add', user, message_id: messageId, ...reaction }
}

export function reactionRemoved(
  messageId: number,
  reaction: Reaction,
  user: ReactionEvent['user'],
): ReactionEvent {
  return { type: 'reaction', op: 'remove', user, message_id: messageId, ...reaction }
}

/** Whoever reacts, as the event shows them. */
export function reactingUser(realm: RealmState, site: Site, user: AccountRow): ReactionEvent['user'] {
  return { user_id: user.id, email: apiEmail(realm, site, user), full_name: user.full_name }
}

export const reactionEvent = {
  type: 'reaction',

  // Reactions belong to messages, of which a registration tells nothing.
  apply() {},
} satisfies EventType<ReactionEvent>
