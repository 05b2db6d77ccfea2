import { z } from 'zod'
import { requireUser } from '../../../http/access.ts'
import { query } from '../../../http/endpoint.ts'
import { ownSessions } from '../kernel/sessions/own-logins.ts'

export const getSessions = query('GET /rookery/sessions', {
  summary: "List the caller's browser sessions",
  access: requireUser,
  params: {},
  returns: {
    sessions: z.array(
      z.object({
        id: z.int(),
        client: z.string(),
        created_at: z.int(),
        last_used_at: z.int(),
        is_current: z.boolean(),
      }),
    ),
  },
  async handle({ realm, me, site, request }) {
    return { sessions: ownSessions(realm, site, me, request) }
  },
})
