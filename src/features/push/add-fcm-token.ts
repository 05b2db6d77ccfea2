import { human } from '../../http/access.ts'
import { command } from '../../http/endpoint.ts'
import { text } from '../../http/params.ts'
import { addToken } from './tokens.ts'

export const addFcmToken = command('POST /users/me/android_gcm_reg_id', {
  summary: 'Register an Android device token',
  access: human,
  params: { token: text() },
  returns: {},
  async handle({ me, params, commit }) {
    await addToken(commit, me, 'fcm', params.token)
    return {}
  },
})
