import { requireHuman } from '../../../http/access.ts'
import { command } from '../../../http/endpoint.ts'
import { text } from '../../../http/params.ts'
import { badRequest } from '../../../lib/api-error.ts'
import { addToken, apnsTokenParam } from './tokens.ts'

const appId = /^[\w.-]{1,200}$/

export const addApnsToken = command('POST /users/me/apns_device_token', {
  summary: 'Register an Apple device token',
  access: requireHuman,
  params: { token: apnsTokenParam(), appid: text().documentedAs({ pattern: appId.source }) },
  returns: {},
  async handle(context) {
    const { params } = context
    if (!appId.test(params.appid)) throw badRequest('Invalid app ID')
    await addToken(context, 'apns', params.token, params.appid)
    return {}
  },
})
