import { requireUser } from '../../../http/access.ts'
import { query } from '../../../http/endpoint.ts'
import { pathInteger, pathRest } from '../../../http/params.ts'
import { spectatorOf } from '../../kernel/channels/web-public.ts'
import { uploadToSee } from '../kernel/uploads/access.ts'
import { uploadAnswer } from './upload-answer.ts'

/** API clients authenticate with HTTP Basic, browsers with their session. */
export const getUpload = query('GET /user_uploads/{realm_id}/{path}', {
  summary: 'Download an upload',
  root: true,
  unlimited: true,
  access: requireUser,
  spectator: spectatorOf,
  params: { realm_id: pathInteger(), path: pathRest() },
  returns: {},
  async handle({ realm, me, params, read, adapters }) {
    const row = await uploadToSee(realm, me, read, params.realm_id, params.path)
    return uploadAnswer(adapters.files, row)
  },
})
