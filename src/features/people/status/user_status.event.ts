import type { EventType } from '../../../queues/event-type.ts'
import { canSeeUser } from '../../kernel/users/user-visibility.ts'
import { applyUserStatus } from './user_status.apply.ts'

/** The parts of a status that were set. An empty value clears the part. */
export type StatusParts = {
  away?: boolean
  status_text?: string
  emoji_name?: string
  emoji_code?: string
  reaction_type?: string
}

type UserStatusEvent = { type: 'user_status'; user_id: number } & StatusParts

export function statusChanged(userId: number, parts: StatusParts): UserStatusEvent {
  return { type: 'user_status', user_id: userId, ...parts }
}

declare module '../../../log/entry.ts' {
  interface Events {
    user_status: UserStatusEvent
  }
}

/** A user's status text and emoji. */
export const userStatusEvent = {
  type: 'user_status',

  variant({ user_id }, { state, me }) {
    const user = state.users.get(user_id)
    return user && canSeeUser(state, me, user) ? '' : null
  },

  apply: applyUserStatus,
} satisfies EventType<UserStatusEvent>
