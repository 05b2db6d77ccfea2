import type { ClientState } from '../../../queues/client-state.ts'

export function applyMutedUsers(state: ClientState, { muted_users }: { muted_users: object[] }) {
  if (state.muted_users) state.muted_users = muted_users
}
