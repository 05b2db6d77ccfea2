import type { ClientState } from '../../../../queues/client-state.ts'

type Seen = { status: 'active' | 'idle'; timestamp: number; pushable: boolean }
type PresenceTold = { user_id: number; email?: string; presence: { website: Seen } }

export function applyPresence(state: ClientState, { user_id, email, presence: { website } }: PresenceTold) {
  if (!state.presences) return
  const { pushable: _, ...aggregated } = website
  const { status, timestamp } = website
  if (email !== undefined) state.presences[email] = { aggregated, website }
  else if (status === 'active')
    state.presences[user_id] = { active_timestamp: timestamp, idle_timestamp: timestamp }
  else state.presences[user_id] = slimPresence(null, timestamp, joinedAt(state, user_id))
}

/**
 * Returns a presence in the form of newer clients, in UNIX seconds. The mobile app (zulip-flutter) needs both times. A user who was
 * never active, or hides it, counts as active when they joined, to the minute, as clients know that time.
 */
export function slimPresence(active: number | null, connected: number, joined: number) {
  const active_timestamp = active ?? Math.min(joined - (joined % 60), connected)
  return { active_timestamp, idle_timestamp: connected }
}

/** Returns when a user joined, or 0 if the client does not know the user. */
function joinedAt(state: ClientState, userId: number): number {
  const user: { date_joined: string } | undefined = state.realm_users?.find(
    ({ user_id }: { user_id: number }) => user_id === userId,
  )
  return user ? Date.parse(user.date_joined) / 1000 : 0
}
