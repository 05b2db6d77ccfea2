import type { ClientState } from '../../../../queues/client-state.ts'

export function applyUserSettings(
  state: ClientState,
  { property, value }: { property: string; value: unknown },
) {
  if (state.user_settings) state.user_settings[property] = value
}
