import type { PushDeviceRow } from '../../../db/schema.ts'
import type { ClientState, EventType } from '../../../queues/event-type.ts'

/** The status of a device registered with end-to-end encryption. */
type PushDeviceEvent = { type: 'push_device'; push_account_id: string; status: string; error_code?: string }

export function pushDeviceChanged({ address, state, error_code }: PushDeviceRow): PushDeviceEvent {
  const event: PushDeviceEvent = { type: 'push_device', push_account_id: address, status: state }
  return error_code === null ? event : { ...event, error_code }
}

declare module '../../../log/entry.ts' {
  interface Events {
    push_device: PushDeviceEvent
  }
}

export const pushDeviceEvent = {
  type: 'push_device',

  apply(state: ClientState, { type: _, push_account_id, ...device }: PushDeviceEvent & { id?: number }) {
    if (!state.push_devices) return
    const { id: __, ...status } = device
    state.push_devices[push_account_id] = status
  },
} satisfies EventType<PushDeviceEvent>
