import { sql } from 'kysely'
import { requireUser } from '../../../http/access.ts'
import { command } from '../../../http/endpoint.ts'
import { pathInteger } from '../../../http/params.ts'
import { snippetRemoved } from './saved_snippets.event.ts'
import { noSuchSnippet } from './snippets.ts'

export const deleteSnippet = command('DELETE /saved_snippets/{saved_snippet_id}', {
  summary: 'Delete a saved snippet',
  since: 297,
  access: requireUser,
  params: { saved_snippet_id: pathInteger() },
  returns: {},
  async handle({ realm, me, params, commit }) {
    await commit(async (change) => {
      const gone = await change.run(sql`
        DELETE FROM saved_snippet
        WHERE realm_id = ${realm.id} AND user_id = ${me.id} AND id = ${params.saved_snippet_id} RETURNING id`)
      if (gone.length === 0) throw noSuchSnippet()
      change.emit(snippetRemoved(params.saved_snippet_id), { users: [me.id] })
    })
    return {}
  },
})
