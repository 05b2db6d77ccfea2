import type { ClientState } from '../../../../queues/client-state.ts'

export function applyUpdateDisplaySettings(
  state: ClientState,
  { setting_name, setting }: { setting_name: string; setting: unknown },
) {
  if (setting_name in state) state[setting_name] = setting
}
