import { requireHuman } from '../../../http/access.ts'
import { command } from '../../../http/endpoint.ts'
import { apnsTokenParam, removeToken } from './tokens.ts'

export const removeApnsToken = command('DELETE /users/me/apns_device_token', {
  summary: 'Unregister an Apple device token',
  access: requireHuman,
  params: { token: apnsTokenParam() },
  returns: {},
  async handle({ me, params, commit }) {
    await removeToken(commit, me, 'apns', params.token)
    return {}
  },
})
