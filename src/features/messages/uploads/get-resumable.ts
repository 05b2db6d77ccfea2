import { requireUser } from '../../../http/access.ts'
import { query } from '../../../http/endpoint.ts'
import { pathText } from '../../../http/params.ts'
import { ProtocolAnswer } from '../../../http/responses/answer-kinds.ts'
import { progress, resumableOf, stopAdding } from './resumable.ts'
import { checkVersion, tusHeaders } from './tus.ts'

export const getResumable = query('GET /api/v1/tus/{upload_id}', {
  summary: 'Ask how far a resumable upload is (by HEAD)',
  root: true,
  headers: tusHeaders,
  access: requireUser,
  params: { upload_id: pathText() },
  returns: {},
  async handle({ realm, me, params, read, request, site }) {
    checkVersion(request)
    const find = () => resumableOf(read, realm.id, me.id, params.upload_id, site.clock())
    // The bytes of a broken connection count, too.
    await stopAdding(site, await find())
    return new ProtocolAnswer(200, progress(await find()))
  },
})
