import { z } from 'zod'
import { requireSender } from '../../../http/access.ts'
import { query } from '../../../http/endpoint.ts'

export const getOwnSession = query('GET /rookery/session', {
  summary: 'Get the current user and the session or API key of this request',
  access: requireSender,
  params: {},
  returns: {
    user_id: z.int(),
    email: z.string(),
    full_name: z.string(),
    session_id: z.int().nullable(),
    key_id: z.int().nullable(),
  },
  async handle({ me, request }) {
    return {
      user_id: me.id,
      email: me.delivery_email,
      full_name: me.full_name,
      session_id: request.sessionId,
      key_id: request.keyId,
    }
  },
})
