import { sql } from 'kysely'
import type { Adapters } from '../../../adapters/adapters.ts'
import type { PushDeviceRow } from '../../../db/schema.ts'
import { cancelJob } from '../../../jobs/job.ts'
import { ApiError, badRequest } from '../../../lib/api-error.ts'
import { limits } from '../../../lib/limits.ts'
import type { Change } from '../../../log/change.ts'
import type { RealmState } from '../../../log/realm-state.ts'
import { browserJob, registrationJob } from './jobs.ts'
import { pushDeviceChanged } from './push_device.event.ts'

/**
 * `encrypted` devices get what only they can read, by the relay; `fcm` and `apns` are the tokens of apps that do not know
 * how to, to which the relay passes on what it can read; a `browser` is reached by its own push service.
 */
type DeviceKind = 'encrypted' | 'fcm' | 'apns' | 'browser'

/** How clients see the devices that are registered end-to-end encrypted, by push_account_id. */
type PushDevices = Record<string, { status: string; error_code?: string }>

/** `push_devices` of POST /register. */
export function pushDevicesOf(realm: RealmState, userId: number): PushDevices {
  const devices = [...realm.pushDevicesOfUser(userId)].filter(({ kind }) => kind === 'encrypted')
  return Object.fromEntries(devices.map((device) => [device.address, statusOf(device)]))
}

function statusOf({ state, error_code }: PushDeviceRow): PushDevices[string] {
  return error_code === null ? { status: state } : { status: state, error_code }
}

/** The devices of somebody that this node can reach. */
export function reachableDevices(realm: RealmState, userId: number, outside: Adapters): PushDeviceRow[] {
  return [...realm.pushDevicesOfUser(userId)].filter((device) => isReachable(device, outside))
}

export function isReachable({ kind, state }: PushDeviceRow, { push }: Adapters): boolean {
  return state === 'active' && (kind === 'browser' || push !== undefined)
}

export function findDevice(realm: RealmState, userId: number, kind: DeviceKind, address: string) {
  return [...realm.pushDevicesOfUser(userId)].find((one) => one.kind === kind && one.address === address)
}

type NewDevice = Partial<PushDeviceRow> & {
  user_id: number
  kind: DeviceKind
  address: string
  state: string
}

/** Adds a device that is not there yet. Where there are too many, an old one makes room, or 400. */
export async function addDevice(change: Change, device: NewDevice): Promise<PushDeviceRow> {
  await makeRoom(change, device)
  await startPushCursor(change)
  return change.insert('push_device', { ...device, created_at: change.now })
}

/** From here on, the log is looked through for what devices are to be told, if it is not already. */
export async function startPushCursor(change: Change) {
  const { id, position } = change.state
  await change.run(sql`
    INSERT INTO push_position (realm_id, event_id) VALUES (${id}, ${position}) ON CONFLICT DO NOTHING`)
}

/** Forgets a device, and what was still to be brought there. */
export async function removeDevice(change: Change, { id }: Pick<PushDeviceRow, 'id'>) {
  await change.deleteAll('push_device', [{ id }])
  await change.run(
    sql`DELETE FROM push_notification WHERE realm_id = ${change.state.id} AND device_id = ${id}`,
  )
  await cancelJob(change, browserJob, id)
  await cancelJob(change, registrationJob, id)
}

/**
 * A device that is lost or not to be trusted any more gets nothing. A token or a browser is forgotten; a registered device
 * has failed, and its app hears that it should register anew.
 */
export async function invalidateDevice(change: Change, { id }: Pick<PushDeviceRow, 'id'>) {
  const device = change.state.pushDevices.get(id)
  if (device?.kind !== 'encrypted') return removeDevice(change, { id })
  if (device.state === 'failed') return
  const lost = { state: 'failed', error_code: 'REQUEST_EXPIRED', registration: null, relay_id: null }
  const failed = await change.update('push_device', { id, ...lost })
  change.emit(pushDeviceChanged(failed), { users: [device.user_id] })
}

/** All devices of somebody whose logins end. */
export async function invalidateDevices(change: Change, userId: number) {
  for (const device of [...change.state.pushDevicesOfUser(userId)]) await invalidateDevice(change, device)
}

export function pushNotConfigured() {
  return new ApiError(
    'Server is not configured to use push notification service.',
    'PUSH_SERVICE_NOT_CONFIGURED',
  )
}

/**
 * Tokens and browsers come and go without a word, so the oldest one goes. Of a registered device clients would have to
 * be told, and no event says that it is gone; they know by themselves of one that has failed.
 */
async function makeRoom(change: Change, { user_id, kind }: NewDevice) {
  const alike = [...change.state.pushDevicesOfUser(user_id)].filter((device) => device.kind === kind)
  if (alike.length < limits.pushDevicesPerUser) return
  const dispensable = kind === 'encrypted' ? alike.filter(({ state }) => state === 'failed') : alike
  if (dispensable.length === 0) throw badRequest('You have too many devices for push notifications.')
  await removeDevice(change, { id: Math.min(...dispensable.map(({ id }) => id)) })
}
