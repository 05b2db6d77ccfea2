import type { ClientState } from '../../../queues/client-state.ts'

type PushDevice = { type: string; id?: number; push_account_id: string; status: string; error_code?: string }

export function applyPushDevice(state: ClientState, { type: _, push_account_id, ...device }: PushDevice) {
  if (!state.push_devices) return
  const { id: __, ...status } = device
  state.push_devices[push_account_id] = status
}
