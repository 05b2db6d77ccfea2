import { z } from 'zod'
import { user } from '../../http/access.ts'
import { command } from '../../http/endpoint.ts'
import { tellOfKey } from '../bots/tell.ts'
import { replaceApiKeys } from './api-keys.ts'

export const regenerateApiKey = command('POST /users/me/api_key/regenerate', {
  summary: 'Create a new API key and revoke all others of the caller',
  access: user,
  params: {},
  returns: { api_key: z.string() },
  async handle({ site, me, request, commit }) {
    const secrets = me.bot_type === null ? undefined : site.secrets
    const key = await commit(async (change) => {
      const key = await replaceApiKeys(change, me.id, request.client, secrets)
      tellOfKey(change, change.state.users.get(me.id)!)
      return key
    })
    return { api_key: key }
  },
})
