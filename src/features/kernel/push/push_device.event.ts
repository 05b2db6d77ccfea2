import type { PushDeviceRow } from '../../../db/schema.ts'
import type { EventType } from '../../../queues/event-type.ts'
import { applyPushDevice } from './push_device.apply.ts'

/** The status of a device registered with end-to-end encryption. */
type PushDeviceEvent = {
  type: 'push_device'
  push_account_id: string
  status: string
  error_code?: string
}

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

  apply: applyPushDevice,
} satisfies EventType<PushDeviceEvent>
