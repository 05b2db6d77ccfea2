import { z } from 'zod'
import { allowAnonymous } from '../../../http/access.ts'
import { command } from '../../../http/endpoint.ts'
import { pathText } from '../../../http/params.ts'
import { addApiKey } from '../../bots/kernel/login/api-keys.ts'
import { fullNameParam } from '../../people/kernel/users/names.ts'
import { confirmLogin } from '../kernel/login/confirm-login.ts'
import { newPasswordParam } from '../kernel/login/passwords.ts'
import { join } from './join.ts'

export const completeSignUp = command('POST /rookery/sign_ups/{key}', {
  summary: 'Create the account that a confirmation key is valid for, and log in',
  access: allowAnonymous,
  params: { key: pathText(), full_name: fullNameParam(), password: newPasswordParam() },
  returns: { user_id: z.int(), email: z.string(), api_key: z.string() },
  async handle(context) {
    const { site, params, request, commit } = context
    const login = await join(context, params)
    const { id, delivery_email } = login.user
    const api_key = await commit(async (change) => {
      await confirmLogin(change, site, login, request)
      return addApiKey(change, id, request.client)
    })
    return { user_id: id, email: delivery_email, api_key }
  },
})
