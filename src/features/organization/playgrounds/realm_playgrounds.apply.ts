import type { ClientState } from '../../../queues/client-state.ts'

export function applyRealmPlaygrounds(
  state: ClientState,
  { realm_playgrounds }: { realm_playgrounds: object[] },
) {
  if (state.realm_playgrounds) state.realm_playgrounds = realm_playgrounds
}
