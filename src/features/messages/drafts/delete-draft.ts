import { sql } from 'kysely'
import { requireUser } from '../../../http/access.ts'
import { command } from '../../../http/endpoint.ts'
import { pathInteger } from '../../../http/params.ts'
import { draftRemoved } from './drafts.event.ts'
import { checkSynchronizes, noSuchDraft } from './drafts.ts'

export const deleteDraft = command('DELETE /drafts/{draft_id}', {
  summary: 'Delete a draft',
  access: requireUser,
  params: { draft_id: pathInteger() },
  returns: {},
  async handle({ realm, me, params, commit }) {
    checkSynchronizes(me)
    await commit(async (change) => {
      const gone = await change.run(sql`
        DELETE FROM draft WHERE realm_id = ${realm.id} AND user_id = ${me.id} AND id = ${params.draft_id} RETURNING id`)
      if (gone.length === 0) throw noSuchDraft()
      change.emit(draftRemoved(params.draft_id), { users: [me.id] })
    })
    return {}
  },
})
