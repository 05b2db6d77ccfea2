import type { ClientState } from '../../../queues/client-state.ts'

export function applyDefaultStreamGroups(state: ClientState, event: { default_stream_groups: object[] }) {
  if (state.realm_default_stream_groups) state.realm_default_stream_groups = event.default_stream_groups
}
