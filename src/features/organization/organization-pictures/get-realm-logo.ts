import { requireUser } from '../../../http/access.ts'
import { query } from '../../../http/endpoint.ts'
import { boolean } from '../../../http/params.ts'
import { RedirectAnswer } from '../../../http/responses/answer-kinds.ts'
import { realmPictureUrl } from './picture-urls.ts'

export const getRealmLogo = query('GET /realm/logo', {
  summary: "Redirect to the organization's logo",
  redirects: true,
  access: requireUser,
  params: { night: boolean() },
  returns: {},
  async handle({ realm, site, params }) {
    return new RedirectAnswer(realmPictureUrl(realm, site, params.night ? 'night_logo' : 'logo'), {
      status: 302,
    })
  },
})
