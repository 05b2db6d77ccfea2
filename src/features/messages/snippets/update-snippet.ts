import { sql } from 'kysely'
import type { SavedSnippetRow } from '../../../db/schema.ts'
import { requireUser } from '../../../http/access.ts'
import { command } from '../../../http/endpoint.ts'
import { pathInteger } from '../../../http/params.ts'
import { checkOwnTexts } from '../kernel/own-texts/own-texts.ts'
import { snippetLimits } from './limits.ts'
import { snippetChanged } from './saved_snippets.event.ts'
import { noSuchSnippet, snippetParams, snippetView } from './snippets.ts'

export const updateSnippet = command('PATCH /saved_snippets/{saved_snippet_id}', {
  summary: 'Update a saved snippet',
  since: 368,
  access: requireUser,
  params: {
    saved_snippet_id: pathInteger(),
    title: snippetParams.title.optional(),
    content: snippetParams.content.optional(),
  },
  returns: {},
  async handle({ realm, me, params, commit }) {
    await commit(async (change) => {
      const [before] = await change.run(sql<SavedSnippetRow>`
        SELECT * FROM saved_snippet
        WHERE realm_id = ${realm.id} AND user_id = ${me.id} AND id = ${params.saved_snippet_id}`)
      if (!before) throw noSuchSnippet()
      const { title = before.title, content = before.content } = params
      if (title === before.title && content === before.content) return
      const row = await change.update('saved_snippet', { id: before.id, title, content })
      // Beyond the limit, a text may become shorter.
      if (content.length > before.content.length)
        await checkOwnTexts(change, me.id, 'saved snippets', snippetLimits.savedSnippetsPerUser)
      change.emit(snippetChanged('update', snippetView(row)), { users: [me.id] })
    })
    return {}
  },
})
