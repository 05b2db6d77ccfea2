import { z } from 'zod'
import { requireUser } from '../../../http/access.ts'
import { list } from '../../../http/collections.ts'
import { command } from '../../../http/endpoint.ts'
import { json } from '../../../http/params.ts'
import { checkOwnTexts } from '../kernel/own-texts/own-texts.ts'
import { draftsAdded } from './drafts.event.ts'
import { checkSynchronizes, columnsOf, draftToStore, draftView } from './drafts.ts'
import { draftLimits } from './limits.ts'

export const createDrafts = command('POST /drafts', {
  summary: 'Create drafts',
  creates: true,
  access: requireUser,
  params: { drafts: json(list(draftToStore, draftLimits.draftsPerRequest)) },
  returns: { ids: z.array(z.int()) },
  async handle(context) {
    const { me, params, conclude } = context
    checkSynchronizes(me)
    const columns = params.drafts.map((sent, i) => columnsOf(context, sent, `drafts[${i}]`))
    return conclude(async (change) => {
      const rows = await change.insertAll(
        'draft',
        columns.map((draft) => ({ user_id: me.id, ...draft })),
      )
      await checkOwnTexts(change, me.id, 'drafts', draftLimits.draftsPerUser)
      change.emit(draftsAdded(rows.map(draftView)), { users: [me.id] })
      return { ids: rows.map((row) => row.id) }
    })
  },
})
