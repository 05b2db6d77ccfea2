import { z } from 'zod'
import { requireUser } from '../../../http/access.ts'
import { query } from '../../../http/endpoint.ts'
import { ownLogins } from '../kernel/sessions/own-logins.ts'

export const getLogins = query('GET /rookery/logins', {
  summary: "List the caller's recent logins with time, method, client and IP address",
  access: requireUser,
  params: {},
  returns: {
    logins: z.array(z.object({ method: z.string(), client: z.string(), ip: z.string(), at: z.int() })),
  },
  async handle({ read, me }) {
    return { logins: await ownLogins(read, me) }
  },
})
