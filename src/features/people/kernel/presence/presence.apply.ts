import type { ClientState } from '../../../../queues/client-state.ts'

type Seen = { status: 'active' | 'idle'; timestamp: number; pushable: boolean }
type PresenceTold = { user_id: number; email?: string; presence: { website: Seen } }

export function applyPresence(state: ClientState, { user_id, email, presence: { website } }: PresenceTold) {
  if (!state.presences) return
  const { pushable: _, ...aggregated } = website
  if (email !== undefined) state.presences[email] = { aggregated, website }
  else if (website.status === 'idle') state.presences[user_id] = { idle_timestamp: website.timestamp }
  else state.presences[user_id] = { active_timestamp: website.timestamp, idle_timestamp: website.timestamp }
}
