import { requireHuman } from '../../../http/access.ts'
import { command } from '../../../http/endpoint.ts'
import { addToken, tokenParam } from './tokens.ts'

export const addFcmToken = command('POST /users/me/android_gcm_reg_id', {
  summary: 'Register an Android device token',
  access: requireHuman,
  params: { token: tokenParam() },
  returns: {},
  async handle(context) {
    await addToken(context, 'fcm', context.params.token)
    return {}
  },
})
