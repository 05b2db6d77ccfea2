import type { ClientState } from '../../../../queues/client-state.ts'

export function applyHasZoomToken(state: ClientState, { value }: { value: boolean }) {
  if ('has_zoom_token' in state) state.has_zoom_token = value
}
