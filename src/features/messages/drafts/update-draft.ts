import { sql } from 'kysely'
import type { DraftRow } from '../../../db/schema.ts'
import { requireUser } from '../../../http/access.ts'
import { command } from '../../../http/endpoint.ts'
import { json, pathInteger } from '../../../http/params.ts'
import { checkOwnTexts } from '../kernel/own-texts/own-texts.ts'
import { draftUpdated } from './drafts.event.ts'
import { checkSynchronizes, columnsOf, draftToStore, draftView, noSuchDraft } from './drafts.ts'
import { draftLimits } from './limits.ts'

export const updateDraft = command('PATCH /drafts/{draft_id}', {
  summary: 'Update a draft',
  access: requireUser,
  params: { draft_id: pathInteger(), draft: json(draftToStore) },
  returns: {},
  async handle(context) {
    const { realm, me, params, read, commit } = context
    checkSynchronizes(me)
    const [existing] = await read.rows<DraftRow>(
      sql`SELECT * FROM draft WHERE realm_id = ${realm.id} AND user_id = ${me.id} AND id = ${params.draft_id}`,
    )
    if (!existing) throw noSuchDraft()
    const columns = columnsOf(context, params.draft, 'draft')
    await commit(async (change) => {
      const [row] = await change.updateAll('draft', [{ id: existing.id, ...columns }])
      if (!row) throw noSuchDraft()
      // Beyond the limit, a text may become shorter.
      if (row.content.length > existing.content.length)
        await checkOwnTexts(change, me.id, 'drafts', draftLimits.draftsPerUser)
      change.emit(draftUpdated(draftView(row)), { users: [me.id] })
    })
    return {}
  },
})
