import { sql } from 'kysely'
import { z } from 'zod'
import type { AccountRow } from '../../../db/schema.ts'
import { requireUser } from '../../../http/access.ts'
import { list } from '../../../http/collections.ts'
import { command } from '../../../http/endpoint.ts'
import { json } from '../../../http/params.ts'
import { badRequest } from '../../../lib/api-error.ts'
import { firstIn } from '../../../lib/must.ts'
import type { Change } from '../../../log/change.ts'
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
      if ((await countDrafts(change, me)) + columns.length > draftLimits.draftsPerUser) throw tooMany()
      const rows = await change.insertAll(
        'draft',
        columns.map((draft) => ({ user_id: me.id, ...draft })),
      )
      change.emit(draftsAdded(rows.map(draftView)), { users: [me.id] })
      return { ids: rows.map((row) => row.id) }
    })
  },
})

async function countDrafts(change: Change, me: AccountRow): Promise<number> {
  const found = firstIn(
    await change.run(
      sql<{
        count: number
      }>`SELECT count(*) FROM draft WHERE realm_id = ${change.state.id} AND user_id = ${me.id}`,
    ),
  )
  return found.count
}

function tooMany() {
  return badRequest('Too many drafts.')
}
