import { requireUser } from '../../../http/access.ts'
import { query } from '../../../http/endpoint.ts'
import { RedirectAnswer } from '../../../http/responses/answer-kinds.ts'
import { realmPictureUrl } from './picture-urls.ts'

export const getRealmIcon = query('GET /realm/icon', {
  summary: "Redirect to the organization's icon",
  redirects: true,
  access: requireUser,
  params: {},
  returns: {},
  async handle({ realm, site }) {
    return new RedirectAnswer(realmPictureUrl(realm, site, 'icon'), { status: 302 })
  },
})
