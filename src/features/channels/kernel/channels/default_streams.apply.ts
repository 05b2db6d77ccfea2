import type { ClientState } from '../../../../queues/client-state.ts'

export function applyDefaultStreams(state: ClientState, event: { default_streams: number[] }) {
  if (state.realm_default_streams) state.realm_default_streams = event.default_streams
}
