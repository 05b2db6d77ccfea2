import type { ClientState } from '../../../queues/client-state.ts'

export function applyRealmLinkifiers(
  state: ClientState,
  { realm_linkifiers }: { realm_linkifiers: readonly object[] },
) {
  if (state.realm_linkifiers) state.realm_linkifiers = realm_linkifiers
}
