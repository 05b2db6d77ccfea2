import type { ClientState } from '../../../../queues/client-state.ts'

export function applyUpdateGlobalNotifications(
  state: ClientState,
  { notification_name, setting }: { notification_name: string; setting: unknown },
) {
  if (notification_name in state) state[notification_name] = setting
}
