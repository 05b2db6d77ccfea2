import { requireUser } from '../../../http/access.ts'
import { command } from '../../../http/endpoint.ts'
import { pathText } from '../../../http/params.ts'
import { ProtocolAnswer } from '../../../http/responses/answer-kinds.ts'
import { endResumable } from './add-part.ts'
import { noSuchUpload, resumableOf, stopAdding } from './resumable.ts'
import { checkVersion, tusHeaders } from './tus.ts'

export const endResumableUpload = command('DELETE /api/v1/tus/{upload_id}', {
  summary: 'End a resumable upload; a finished one stays as an ordinary upload',
  root: true,
  headers: tusHeaders,
  access: requireUser,
  params: { upload_id: pathText() },
  returns: {},
  async handle({ realm, me, params, read, request, site, commit }) {
    checkVersion(request)
    const row = await resumableOf(read, realm.id, me.id, params.upload_id, site.clock())
    await stopAdding(site, row)
    const isEnded = await commit((change) => endResumable(change, row))
    if (!isEnded) throw noSuchUpload()
    return new ProtocolAnswer(204, {})
  },
})
