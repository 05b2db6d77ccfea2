import { human } from '../../http/access.ts'
import { command } from '../../http/endpoint.ts'
import { text } from '../../http/params.ts'
import { removeToken } from './tokens.ts'

export const removeFcmToken = command('DELETE /users/me/android_gcm_reg_id', {
  summary: 'Unregister an Android device token',
  access: human,
  params: { token: text() },
  returns: {},
  async handle({ me, params, commit }) {
    await removeToken(commit, me, 'fcm', params.token)
    return {}
  },
})
