import type { ClientState, EventType } from '../../../queues/event-type.ts'
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

  apply(state: ClientState, { muted_users }: MutedUsersEvent) {
    if (state.muted_users) state.muted_users = muted_users
  },
} satisfies EventType<MutedUsersEvent>
