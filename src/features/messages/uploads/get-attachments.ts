import { sql } from 'kysely'
import { z } from 'zod'
import { requireUser } from '../../../http/access.ts'
import { query } from '../../../http/endpoint.ts'
import { attachmentSchema, attachmentView, linkedQuery, spaceUsed } from '../kernel/uploads/uploads.ts'

export const getAttachments = query('GET /attachments', {
  summary: "List the caller's uploads and the organization's storage use",
  rank: 'heavy',
  access: requireUser,
  params: {},
  returns: { attachments: z.array(attachmentSchema), upload_space_used: z.int() },
  async handle({ realm, me, read }) {
    return read.snapshot(async (moment) => {
      const rows = await moment.rows(linkedQuery(realm.id, sql`a.owner_id = ${me.id}`))
      return { attachments: rows.map(attachmentView), upload_space_used: await spaceUsed(moment, realm.id) }
    })
  },
})
