import { allowAnonymous } from '../../../http/access.ts'
import { query } from '../../../http/endpoint.ts'
import { pathRest, pathText } from '../../../http/params.ts'
import { noSuchFile } from '../kernel/uploads/access.ts'
import { uploadOfToken } from './temporary-url.ts'
import { uploadAnswer } from './upload-answer.ts'

export const openTemporaryUrl = query('GET /user_uploads/temporary/{token}/{filename}', {
  summary: 'Download an upload by its temporary URL',
  root: true,
  unlimited: true,
  access: allowAnonymous,
  params: { token: pathText(), filename: pathRest() },
  returns: {},
  async handle({ realm, params, read, site, adapters }) {
    const row = await uploadOfToken(read, realm.id, params.token, site.clock())
    if (!row) throw noSuchFile()
    return uploadAnswer(adapters.files, row)
  },
})
