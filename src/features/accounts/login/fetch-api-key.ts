import { z } from 'zod'
import { allowAnonymous } from '../../../http/access.ts'
import { command } from '../../../http/endpoint.ts'
import { text } from '../../../http/params.ts'
import { addApiKey } from '../../bots/kernel/login/api-keys.ts'
import { checkLogin } from '../kernel/login/check-login.ts'
import { confirmLogin } from '../kernel/login/confirm-login.ts'

export const fetchApiKey = command('POST /fetch_api_key', {
  summary: 'Create an API key with an email address and password',
  access: allowAnonymous,
  params: { username: text({ trim: true }), password: text() },
  returns: { api_key: z.string(), email: z.string(), user_id: z.int() },
  async handle(context) {
    const { site, params, request, commit } = context
    const login = await checkLogin(context, params.username, params.password)
    const key = await commit(async (change) => {
      await confirmLogin(change, site, login, request, params.username)
      return addApiKey(change, login.user.id, request.client)
    })
    return { api_key: key, email: login.user.delivery_email, user_id: login.user.id }
  },
})
