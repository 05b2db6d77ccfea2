import { z } from 'zod'
import { requireUser } from '../../../http/access.ts'
import { query } from '../../../http/endpoint.ts'
import { alertWords } from './alert-words.ts'

export const getAlertWords = query('GET /users/me/alert_words', {
  summary: "List the caller's alert words",
  access: requireUser,
  params: {},
  returns: { alert_words: z.array(z.string()) },
  async handle({ realm, me }) {
    return { alert_words: alertWords(realm, me.id) }
  },
})
