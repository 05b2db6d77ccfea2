import { sql } from 'kysely'
import { z } from 'zod'
import { requireUser } from '../../../http/access.ts'
import { command } from '../../../http/endpoint.ts'
import { badRequest } from '../../../lib/api-error.ts'
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
  async handle({ realm, me, params, conclude }) {
    return conclude(async (change) => {
      const existing = await change.run(
        sql`SELECT id FROM saved_snippet WHERE realm_id = ${realm.id} AND user_id = ${me.id}`,
      )
      if (existing.length >= snippetLimits.savedSnippetsPerUser) throw badRequest('Too many saved snippets.')
      const row = await change.insert('saved_snippet', { user_id: me.id, ...params, created_at: change.now })
      change.emit(snippetChanged('add', snippetView(row)), { users: [me.id] })
      return { saved_snippet_id: row.id }
    })
  },
})
