import { z } from 'zod'
import { requireUser } from '../../../http/access.ts'
import { command } from '../../../http/endpoint.ts'
import { checkOwnTexts } from '../kernel/own-texts/own-texts.ts'
import { snippetLimits } from './limits.ts'
import { snippetChanged } from './saved_snippets.event.ts'
import { snippetParams, snippetView } from './snippets.ts'

export const createSnippet = command('POST /saved_snippets', {
  summary: 'Create a saved snippet',
  since: 297,
  creates: true,
  access: requireUser,
  params: snippetParams,
  returns: { saved_snippet_id: z.int() },
  async handle({ me, params, conclude }) {
    return conclude(async (change) => {
      const row = await change.insert('saved_snippet', { user_id: me.id, ...params, created_at: change.now })
      await checkOwnTexts(change, me.id, 'saved snippets', snippetLimits.savedSnippetsPerUser)
      change.emit(snippetChanged('add', snippetView(row)), { users: [me.id] })
      return { saved_snippet_id: row.id }
    })
  },
})
