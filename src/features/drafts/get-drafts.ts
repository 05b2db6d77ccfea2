import { z } from 'zod'
import { user } from '../../http/access.ts'
import { query } from '../../http/endpoint.ts'
import { checkSynchronizes, draftSchema, draftsOf } from './drafts.ts'

export const getDrafts = query('GET /drafts', {
  summary: "List one's drafts, the one edited last at the end",
  access: user,
  params: {},
  returns: { count: z.int(), drafts: z.array(draftSchema) },
  async handle({ realm, me, read }) {
    checkSynchronizes(me)
    const drafts = await draftsOf(read, realm, me)
    return { count: drafts.length, drafts }
  },
})
