import { requireHuman } from '../../../http/access.ts'
import { command } from '../../../http/endpoint.ts'
import { removeToken, tokenParam } from './tokens.ts'

export const removeFcmToken = command('DELETE /users/me/android_gcm_reg_id', {
  summary: 'Unregister an Android device token',
  access: requireHuman,
  params: { token: tokenParam() },
  returns: {},
  async handle({ me, params, commit }) {
    await removeToken(commit, me, 'fcm', params.token)
    return {}
  },
})
