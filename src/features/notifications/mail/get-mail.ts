import { z } from 'zod'
import { requireHuman } from '../../../http/access.ts'
import { query } from '../../../http/endpoint.ts'

/** Without a mail server, mails wait. Clients say so in place of announcing a mail that does not come. */
export const getMail = query('GET /rookery/mail', {
  summary: 'Tell whether this server sends mails',
  access: requireHuman,
  params: {},
  returns: { is_sent: z.boolean() },
  async handle({ adapters }) {
    return { is_sent: adapters.mail !== undefined }
  },
})
