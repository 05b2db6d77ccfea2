import { requireHuman } from '../../../http/access.ts'
import { command } from '../../../http/endpoint.ts'
import { text } from '../../../http/params.ts'
import { badRequest } from '../../../lib/api-error.ts'
import { findDevice, removeDevice } from '../../kernel/push/devices.ts'
import { pushLimits } from './limits.ts'

export const removePushSubscription = command('DELETE /rookery/push_subscriptions', {
  summary: "Delete a browser's Web Push subscription",
  access: requireHuman,
  params: { endpoint: text({ max: pushLimits.pushEndpointLength }) },
  returns: {},
  async handle({ me, params, commit }) {
    await commit(async (change) => {
      const device = findDevice(change.state, me.id, 'browser', params.endpoint)
      if (!device) throw badRequest('This browser has not subscribed.')
      await removeDevice(change, device)
    })
    return {}
  },
})
