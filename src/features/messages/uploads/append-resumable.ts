import { requireUser } from '../../../http/access.ts'
import { filePart } from '../../../http/body/body.ts'
import { command } from '../../../http/endpoint.ts'
import { bodyStream, pathText } from '../../../http/params.ts'
import { ProtocolAnswer } from '../../../http/responses/answer-kinds.ts'
import { addPart } from './add-part.ts'
import { addAlone, progress, resumableOf, wrongOffset } from './resumable.ts'
import { checkPart, checkVersion, statedBytes, tooLarge, tusHeaders } from './tus.ts'

export const appendResumable = command('PATCH /api/v1/tus/{upload_id}', {
  summary: 'Add a part to a resumable upload',
  root: true,
  headers: tusHeaders,
  access: requireUser,
  params: { upload_id: pathText(), body: bodyStream(filePart) },
  returns: {},
  async handle(context) {
    const { realm, me, params, read, request, site } = context
    checkVersion(request)
    checkPart(request)
    const offset = statedBytes(request, 'Upload-Offset')
    const find = () => resumableOf(read, realm.id, me.id, params.upload_id, site.clock())
    const row = await addAlone(site, await find(), async (stopping) => {
      const current = await find()
      if (offset !== current.received) throw wrongOffset()
      const stated = Number(request.header('content-length') ?? 0)
      if (stated > current.size - offset) throw tooLarge()
      return addPart(context, current, params.body, stopping)
    })
    // A finished upload has the response of POST /user_uploads, also if the client asks for it again.
    if (row.answer === null) return new ProtocolAnswer(204, progress(row))
    return new ProtocolAnswer(200, progress(row), JSON.parse(row.answer))
  },
})
