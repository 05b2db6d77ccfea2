import { z } from 'zod'
import { requireHuman } from '../../../http/access.ts'
import { command } from '../../../http/endpoint.ts'
import { text } from '../../../http/params.ts'
import { addApiKey } from '../../bots/kernel/login/api-keys.ts'
import { checkLogin, wrongPassword } from '../kernel/login/check-login.ts'
import { confirmLogin } from '../kernel/login/confirm-login.ts'

// Requires a session, so for browsers it replaces the operation for anonymous callers.
export const fetchOwnApiKey = command('POST /json/fetch_api_key', {
  summary: 'Create an API key for the current user with their password',
  root: true,
  access: requireHuman,
  params: { password: text().default('') },
  returns: { api_key: z.string(), email: z.string(), user_id: z.int() },
  async handle(context) {
    const { me, site, params, request, commit } = context
    const login = await checkLogin(context, me.delivery_email, params.password)
    // A directory may know another user by this address.
    if (login.user.id !== me.id) throw wrongPassword()
    const key = await commit(async (change) => {
      await confirmLogin(change, site, login, request)
      return addApiKey(change, me.id, request.client)
    })
    return { api_key: key, email: me.delivery_email, user_id: me.id }
  },
})
