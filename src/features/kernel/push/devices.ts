import { sql } from 'kysely'
import type { Adapters } from '../../../adapters/adapters.ts'
import type { PushDeviceRow } from '../../../db/schema.ts'
import { hasEnded } from '../../../http/callers/session.ts'
import type { RequestInfo } from '../../../http/endpoint.ts'
import { cancelJob } from '../../../jobs/job.ts'
import { ApiError, badRequest } from '../../../lib/api-error.ts'
import type { Change } from '../../../log/change.ts'
import type { RealmState } from '../../../log/realm-state.ts'
import { browserJob, registrationJob } from './jobs.ts'
import { pushDeviceLimits } from './limits.ts'
import { pushDeviceChanged } from './push_device.event.ts'

/**
 * The kinds of devices. `encrypted` devices receive end-to-end encrypted notifications through the relay. `fcm` and
 * `apns` are tokens of apps without encryption: the relay passes on notifications that it can read. A `browser` is
 * reached through its own push service.
 */
type DeviceKind = 'encrypted' | 'fcm' | 'apns' | 'browser'

/** The devices registered with end-to-end encryption as clients see them, by push_account_id. */
type PushDevices = Record<string, { status: string; error_code?: string }>

/** `push_devices` of POST /register. */
export function pushDevicesOf(realm: RealmState, userId: number): PushDevices {
  const devices = [...realm.pushDevicesOfUser(userId)].filter(({ kind }) => kind === 'encrypted')
  return Object.fromEntries(devices.map((device) => [device.address, statusOf(device)]))
}

function statusOf({ state, error_code }: PushDeviceRow): PushDevices[string] {
  return error_code === null ? { status: state } : { status: state, error_code }
}

/** Returns the user's devices that this node can reach. */
export function reachableDevices(realm: RealmState, userId: number, adapters: Adapters): PushDeviceRow[] {
  return [...realm.pushDevicesOfUser(userId)].filter((device) => isReachable(device, adapters))
}

export function isReachable({ kind, state }: PushDeviceRow, { push }: Adapters): boolean {
  return state === 'active' && (kind === 'browser' || push !== undefined)
}

export function findDevice(realm: RealmState, userId: number, kind: DeviceKind, address: string) {
  return [...realm.pushDevicesOfUser(userId)].find((one) => one.kind === kind && one.address === address)
}

/** The API key or session of a request: the device that it registers ends with it. */
type DeviceLogin = Pick<PushDeviceRow, 'api_key_id' | 'session_id'>

export function deviceLogin({ keyId, sessionId }: Pick<RequestInfo, 'keyId' | 'sessionId'>): DeviceLogin {
  return { api_key_id: keyId, session_id: sessionId }
}

/** Whether a known device was registered by another login than this one. */
export function isOfAnother(device: PushDeviceRow, { api_key_id, session_id }: DeviceLogin) {
  return device.api_key_id !== api_key_id || device.session_id !== session_id
}

/** Whether the session that registered a device has ended, also by time: that session stays in the database for a while. */
export function isLoggedOut(realm: RealmState, { session_id }: PushDeviceRow, now: number): boolean {
  if (session_id === null) return false
  const session = realm.sessions.get(session_id)
  return !session || hasEnded(session, now)
}

type NewDevice = DeviceLogin &
  Partial<PushDeviceRow> & {
    user_id: number
    kind: DeviceKind
    address: string
    state: string
  }

/** Adds a device unless it exists already. If the user has too many, removes an old one or throws 400. */
export async function addDevice(change: Change, device: NewDevice): Promise<PushDeviceRow> {
  await makeRoom(change, device)
  await startPushCursor(change)
  return change.insert('push_device', { ...device, created_at: change.now })
}

/** Starts to search the log for notifications from here on, unless that has begun already. */
export async function startPushCursor(change: Change) {
  const { id, position } = change.state
  await change.run(sql`
    INSERT INTO push_position (realm_id, event_id) VALUES (${id}, ${position}) ON CONFLICT DO NOTHING`)
}

/** Removes a device and its pending notifications. */
export async function removeDevice(change: Change, { id }: Pick<PushDeviceRow, 'id'>) {
  await change.deleteAll('push_device', [{ id }])
  await change.run(
    sql`DELETE FROM push_notification WHERE realm_id = ${change.state.id} AND device_id = ${id}`,
  )
  await cancelJob(change, browserJob, id)
  await cancelJob(change, registrationJob, id)
}

/**
 * Stops notifications to a device that is lost or no longer trusted. Removes a token or a browser. Marks a registered
 * device as failed, which tells its app to register again.
 */
export async function invalidateDevice(change: Change, { id }: Pick<PushDeviceRow, 'id'>) {
  const device = change.next.pushDevices.get(id)
  if (device?.kind !== 'encrypted') return removeDevice(change, { id })
  if (device.state === 'failed') return
  const lost = { state: 'failed', error_code: 'REQUEST_EXPIRED', registration: null, relay_id: null }
  const failed = await change.update('push_device', { id, ...lost })
  change.emit(pushDeviceChanged(failed), { users: [device.user_id] })
}

/** Invalidates the devices of a user that an API key, or a session, has registered. */
export async function invalidateDevicesOf(
  change: Change,
  { id, user_id }: { id: number; user_id: number },
  login: keyof DeviceLogin,
) {
  const devices = [...change.next.pushDevicesOfUser(user_id)].filter((device) => device[login] === id)
  for (const device of devices) await invalidateDevice(change, device)
}

/**
 * Invalidates the apps, or browsers, that registered before the logins of devices were noted: each may belong to a login that ends. Devices that
 * are still logged in register again when they start.
 */
export async function invalidateUnknown(change: Change, userId: number, which: 'apps' | 'browsers') {
  const unknown = [...change.next.pushDevicesOfUser(userId)].filter((device) => {
    const isKnown = (device.api_key_id ?? device.session_id ?? null) !== null
    return !isKnown && (device.kind === 'browser') === (which === 'browsers')
  })
  for (const device of unknown) await invalidateDevice(change, device)
}

export function pushNotConfigured() {
  return new ApiError(
    'Server is not configured to use push notification service.',
    'PUSH_SERVICE_NOT_CONFIGURED',
  )
}

/**
 * Tokens and browsers can be removed without notice, so the oldest one is removed. Clients would have to learn that a
 * registered device is gone, and no event reports that; but they already know of a failed one.
 */
async function makeRoom(change: Change, { user_id, kind }: NewDevice) {
  const alike = [...change.state.pushDevicesOfUser(user_id)].filter((device) => device.kind === kind)
  if (alike.length < pushDeviceLimits.pushDevicesPerUser) return
  const dispensable = kind === 'encrypted' ? alike.filter(({ state }) => state === 'failed') : alike
  if (dispensable.length === 0) throw badRequest('You have too many devices for push notifications.')
  await removeDevice(change, { id: Math.min(...dispensable.map(({ id }) => id)) })
}
