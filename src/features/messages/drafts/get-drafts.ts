import { z } from 'zod'
import { readSelection } from '../../../db/selection.ts'
import { requireUser } from '../../../http/access.ts'
import { query } from '../../../http/endpoint.ts'
import { checkSynchronizes, draftSchema, draftsOf } from './drafts.ts'

export const getDrafts = query('GET /drafts', {
  summary: "List the caller's drafts, the most recently edited last",
  access: requireUser,
  params: {},
  returns: { count: z.int(), drafts: z.array(draftSchema) },
  async handle({ realm, me, read }) {
    checkSynchronizes(me)
    const drafts = await readSelection(read, draftsOf(realm, me))
    return { count: drafts.length, drafts }
  },
})
