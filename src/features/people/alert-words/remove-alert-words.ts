import { z } from 'zod'
import { requireUser } from '../../../http/access.ts'
import { command } from '../../../http/endpoint.ts'
import { distinctWords, removeWords, wordsParam } from './alert-words.ts'

export const removeAlertWords = command('DELETE /users/me/alert_words', {
  summary: 'Remove alert words',
  access: requireUser,
  params: { alert_words: wordsParam() },
  returns: { alert_words: z.array(z.string()) },
  async handle({ me, params, commit }) {
    const words = distinctWords(params.alert_words)
    return { alert_words: await commit((change) => removeWords(change, me.id, words)) }
  },
})
