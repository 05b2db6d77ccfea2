import { z } from 'zod'
import { requireUser } from '../../../http/access.ts'
import { command } from '../../../http/endpoint.ts'
import { addWords, distinctWords, wordsParam } from './alert-words.ts'

export const addAlertWords = command('POST /users/me/alert_words', {
  summary: 'Add alert words',
  access: requireUser,
  params: { alert_words: wordsParam() },
  returns: { alert_words: z.array(z.string()) },
  async handle({ me, params, commit }) {
    const words = distinctWords(params.alert_words)
    return { alert_words: await commit((change) => addWords(change, me.id, words)) }
  },
})
