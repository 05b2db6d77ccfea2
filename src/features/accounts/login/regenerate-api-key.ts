import { z } from 'zod'
import { requireUser } from '../../../http/access.ts'
import { command } from '../../../http/endpoint.ts'
import { replaceApiKeys } from '../../bots/kernel/login/api-keys.ts'

export const regenerateApiKey = command('POST /users/me/api_key/regenerate', {
  summary: 'Create a new API key and revoke all others of the caller',
  access: requireUser,
  params: {},
  returns: { api_key: z.string() },
  async handle({ site, me, request, commit }) {
    const secrets = me.bot_type === null ? undefined : site.secrets
    const api_key = await commit((change) => replaceApiKeys(change, me.id, request.client, secrets))
    return { api_key }
  },
})
