import { requireHuman } from '../../../http/access.ts'
import { command } from '../../../http/endpoint.ts'
import { ApiError } from '../../../lib/api-error.ts'
import { isReachable, pushNotConfigured } from '../../kernel/push/devices.ts'
import { queueNotifications } from './outbox.ts'
import { tokenParam } from './tokens.ts'

export const sendTestNotification = command('POST /mobile_push/test_notification', {
  summary: "Send a test notification to one or all of the caller's devices",
  since: 217,
  creates: true,
  access: requireHuman,
  params: { token: tokenParam().optional() },
  returns: {},
  async handle({ realm, me, params, conclude, adapters }) {
    const { token } = params
    const devices = [...realm.pushDevicesOfUser(me.id)].filter(
      ({ kind, address, state }) =>
        state === 'active' && (token === undefined || (address === token && ['fcm', 'apns'].includes(kind))),
    )
    if (token !== undefined && devices.length === 0) {
      throw new ApiError('Device not recognized', 'INVALID_PUSH_DEVICE_TOKEN')
    }
    const reachable = devices.filter((device) => isReachable(device, adapters))
    if (devices.length > 0 && reachable.length === 0) throw pushNotConfigured()
    return conclude(async (change) => {
      // Devices may have been removed in the meantime.
      const present = reachable.filter(({ id }) => change.state.pushDevices.get(id))
      await queueNotifications(
        change,
        present.map((device) => ({ device, kind: 'test', messageIds: [] })),
      )
      return {}
    })
  },
})
