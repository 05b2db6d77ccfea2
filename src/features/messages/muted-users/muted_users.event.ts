import type { EventType } from '../../../queues/event-type.ts'
import { applyMutedUsers } from './muted_users.apply.ts'
import type { MutedUser } from './muted-users.ts'

type MutedUsersEvent = { type: 'muted_users'; muted_users: MutedUser[] }

export function mutedUsersChanged(muted_users: MutedUser[]): MutedUsersEvent {
  return { type: 'muted_users', muted_users }
}

declare module '../../../log/entry.ts' {
  interface Events {
    muted_users: MutedUsersEvent
  }
}

/** All users whom the caller has muted, as they are now (level 48). */
export const mutedUsersEvent = {
  type: 'muted_users',

  apply: applyMutedUsers,
} satisfies EventType<MutedUsersEvent>
