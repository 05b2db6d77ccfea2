import { z } from 'zod'
import { user } from '../../http/access.ts'
import { command } from '../../http/endpoint.ts'
import { replaceApiKeys } from './api-keys.ts'

export const regenerateApiKey = command('POST /users/me/api_key/regenerate', {
  summary: 'Get a new API key; all others of the caller end at once',
  access: user,
  params: {},
  returns: { api_key: z.string() },
  async handle({ me, request, commit }) {
    const key = await commit((change) => replaceApiKeys(change, me.id, request.client))
    return { api_key: key }
  },
})
