import { createECDH } from 'node:crypto'
import { isIP } from 'node:net'
import { z } from 'zod'
import { requireHuman } from '../../../http/access.ts'
import { command } from '../../../http/endpoint.ts'
import { json } from '../../../http/params.ts'
import { badRequest } from '../../../lib/api-error.ts'
import { isPublicAddress } from '../../../lib/network/public-address.ts'
import { addDevice, deviceLogin, findDevice } from '../../kernel/push/devices.ts'
import { bytesOfBase64Url } from './base64.ts'
import { pushLimits } from './limits.ts'
import { serverKeyOrNew } from './server-key.ts'

// The key sizes of RFC 8291.
const publicKeyBytes = 65
const secretBytes = 16

/** A key of this size in base64url. */
function key(bytes: number) {
  const digits = Math.ceil((bytes * 8) / 6)
  return z
    .string()
    .max(pushLimits.pushKeyLength)
    .meta({ pattern: `^[A-Za-z0-9_-]{${digits}}={0,2}$` })
}

export const addPushSubscription = command('POST /rookery/push_subscriptions', {
  summary: 'Create a Web Push subscription for a browser',
  access: requireHuman,
  params: {
    // The format of `PushSubscription.toJSON()`.
    subscription: json(
      z.object({
        endpoint: z
          .string()
          .max(pushLimits.pushEndpointLength)
          .meta({ format: 'uri', pattern: '^https://[^/?#@\\s]+([/?#]\\S*)?$' }),
        keys: z.object({ p256dh: key(publicKeyBytes), auth: key(secretBytes) }),
      }),
    ),
  },
  returns: {},
  async handle({ realm, me, params, request, read, commit }) {
    const { endpoint, keys } = params.subscription
    checkEndpoint(endpoint)
    if (!isPublicKey(keys.p256dh) || bytesOfBase64Url(keys.auth)?.length !== secretBytes) {
      throw badRequest('Invalid subscription["keys"]')
    }
    // A browser may have subscribed without fetching the key first.
    await serverKeyOrNew(read, realm, commit)
    await commit(async (change) => {
      const known = findDevice(change.state, me.id, 'browser', endpoint)
      const registration = { public_key: keys.p256dh, auth: keys.auth, ...deviceLogin(request) }
      if (known) return change.update('push_device', { id: known.id, ...registration })
      const device = { user_id: me.id, kind: 'browser', address: endpoint, state: 'active' } as const
      return addDevice(change, { ...device, ...registration })
    })
    return {}
  },
})

/** Checks the URL only. Its host name is resolved on sending, because the address may change. */
function checkEndpoint(endpoint: string) {
  const url = URL.canParse(endpoint) ? new URL(endpoint) : undefined
  const host = url?.hostname.replace(/^\[|\]$/g, '') ?? ''
  const isGood = url?.protocol === 'https:' && url.username === '' && !(isIP(host) && !isPublicAddress(host))
  if (!isGood) throw badRequest('Invalid subscription["endpoint"]')
}

/** Returns whether the text encodes a point of the curve P-256. */
function isPublicKey(text: string): boolean {
  const key = bytesOfBase64Url(text)
  if (key?.length !== publicKeyBytes) return false
  try {
    const other = createECDH('prime256v1')
    other.generateKeys()
    other.computeSecret(key)
    return true
  } catch {
    return false
  }
}
