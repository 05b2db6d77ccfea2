import type { ClientState } from '../../../queues/client-state.ts'

export function applyRealmEmoji(state: ClientState, { realm_emoji }: { realm_emoji: object }) {
  if (state.realm_emoji) state.realm_emoji = realm_emoji
}
