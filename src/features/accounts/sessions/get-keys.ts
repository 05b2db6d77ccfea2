import { z } from 'zod'
import { requireUser } from '../../../http/access.ts'
import { query } from '../../../http/endpoint.ts'
import { ownKeys } from '../kernel/sessions/own-logins.ts'

export const getKeys = query('GET /rookery/keys', {
  summary: "List the caller's API keys, one for each client",
  access: requireUser,
  params: {},
  returns: {
    keys: z.array(
      z.object({
        id: z.int(),
        client: z.string(),
        created_at: z.int(),
        last_used_at: z.int().nullable(),
        is_current: z.boolean(),
      }),
    ),
  },
  async handle({ realm, me, request }) {
    return { keys: ownKeys(realm, me, request) }
  },
})
