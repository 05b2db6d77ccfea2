import type { ClientState } from '../../../queues/client-state.ts'

export function applyRealmUserSettingsDefaults(
  state: ClientState,
  { property, value }: { property: string; value: unknown },
) {
  if (state.realm_user_settings_defaults) state.realm_user_settings_defaults[property] = value
}
