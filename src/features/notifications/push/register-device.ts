import type { PushDeviceRow } from '../../../db/schema.ts'
import { requireHuman } from '../../../http/access.ts'
import { command } from '../../../http/endpoint.ts'
import { longInteger, text } from '../../../http/params.ts'
import { scheduleJob } from '../../../jobs/job.ts'
import { badRequest } from '../../../lib/api-error.ts'
import {
  addDevice,
  deviceLogin,
  findDevice,
  isOfAnother,
  pushNotConfigured,
} from '../../kernel/push/devices.ts'
import { registrationJob } from '../../kernel/push/jobs.ts'
import { pushDeviceChanged } from '../../kernel/push/push_device.event.ts'
import { base64Pattern, bytesIn } from './base64.ts'
import { pushLimits } from './limits.ts'
import { canSealTo } from './seal.ts'

const tokenKinds = ['fcm', 'apns'] as const
const publicKeyBytes = 32

/**
 * A job sends the registration to the relay, and events report the progress. Repeating a registration that has not
 * failed only notes the login.
 */
export const registerPushDevice = command('POST /mobile_push/register', {
  summary: 'Register a device for end-to-end encrypted push notifications',
  since: 406,
  access: requireHuman,
  params: {
    token_kind: text({ oneOf: tokenKinds }),
    push_account_id: longInteger(),
    push_public_key: text().documentedAs({ pattern: `^[A-Za-z0-9+/]{43}=$` }),
    bouncer_public_key: text({ max: pushLimits.pushCiphertextLength, notBlank: true }),
    encrypted_push_registration: text({ max: pushLimits.pushCiphertextLength }).documentedAs({
      minLength: 4,
      pattern: base64Pattern,
    }),
  },
  returns: {},
  async handle({ me, params, request, commit, adapters }) {
    if (!adapters.push) throw pushNotConfigured()
    const { token_kind, push_public_key, bouncer_public_key, encrypted_push_registration } = params
    if (bytesIn(push_public_key) !== publicKeyBytes || !(await canSealTo(push_public_key))) {
      throw badRequest('Invalid push_public_key')
    }
    if (!bytesIn(encrypted_push_registration)) throw badRequest('Invalid encrypted_push_registration')
    const address = params.push_account_id
    const login = deviceLogin(request)
    const registration = {
      ...login,
      state: 'pending',
      error_code: null,
      token_kind,
      public_key: push_public_key,
      relay_key: bouncer_public_key,
      registration: encrypted_push_registration,
      relay_id: null,
    }
    await commit(async (change) => {
      const before = findDevice(change.state, me.id, 'encrypted', address)
      if (before && isAsWell(before, registration)) {
        if (isOfAnother(before, login)) await change.update('push_device', { id: before.id, ...login })
        return
      }
      const device = before
        ? await change.update('push_device', { id: before.id, ...registration })
        : await addDevice(change, { user_id: me.id, kind: 'encrypted', address, ...registration })
      await scheduleJob(change, registrationJob, device.id, change.now)
      change.emit(pushDeviceChanged(device), { users: [me.id] })
    })
    return {}
  },
})

function isAsWell(device: PushDeviceRow, { token_kind, public_key }: Partial<PushDeviceRow>) {
  return device.state !== 'failed' && device.token_kind === token_kind && device.public_key === public_key
}
