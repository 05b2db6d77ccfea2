import type { ClientState } from '../../../queues/client-state.ts'

type StatusEvent = {
  type: string
  id?: number
  user_id: number
  away?: boolean
  status_text?: string
  emoji_name?: string
  emoji_code?: string
  reaction_type?: string
}

export function applyUserStatus(state: ClientState, { type: _, user_id, away: __, ...parts }: StatusEvent) {
  if (!state.user_status) return
  const { status_text, emoji_name, emoji_code, reaction_type } = { ...state.user_status[user_id], ...parts }
  const status = {
    ...(status_text && { status_text }),
    ...(emoji_name && { emoji_name, emoji_code, reaction_type }),
  }
  if (Object.keys(status).length > 0) state.user_status[user_id] = status
  else delete state.user_status[user_id]
}
