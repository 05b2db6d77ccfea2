import { sql } from 'kysely'
import { requireUser } from '../../../http/access.ts'
import { command } from '../../../http/endpoint.ts'
import { pathInteger } from '../../../http/params.ts'
import { badRequest } from '../../../lib/api-error.ts'
import { withdrawUpload } from './remove-upload.ts'

export const removeAttachment = command('DELETE /attachments/{attachment_id}', {
  summary: "Delete one of the caller's uploads; messages that link to it stay",
  access: requireUser,
  params: { attachment_id: pathInteger() },
  returns: {},
  async handle({ realm, me, params, commit }) {
    await commit(async (change) => {
      const [row] = await change.run(sql<{ owner_id: number; size: number; id: number }>`
        SELECT id, owner_id, size FROM attachment
        WHERE realm_id = ${realm.id} AND id = ${params.attachment_id} AND removed_at IS NULL`)
      if (row?.owner_id !== me.id) throw badRequest('Invalid attachment')
      await withdrawUpload(change, row)
    })
    return {}
  },
})
