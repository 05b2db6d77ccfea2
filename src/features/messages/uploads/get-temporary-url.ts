import { z } from 'zod'
import { requireUser } from '../../../http/access.ts'
import { query } from '../../../http/endpoint.ts'
import { pathInteger, pathRest } from '../../../http/params.ts'
import { spectatorOf } from '../../kernel/channels/web-public.ts'
import { uploadToSee } from '../kernel/uploads/access.ts'
import { temporaryUrl } from './temporary-url.ts'

export const getTemporaryUrl = query('GET /user_uploads/{realm_id_str}/{filename}', {
  summary: 'Get a URL that opens an upload without a login for one minute',
  since: 1,
  access: requireUser,
  spectator: spectatorOf,
  params: { realm_id_str: pathInteger(), filename: pathRest() },
  returns: { url: z.string() },
  async handle({ realm, me, params, read, site }) {
    const row = await uploadToSee(realm, me, read, params.realm_id_str, params.filename)
    return { url: await temporaryUrl(read, row, site.clock()) }
  },
})
