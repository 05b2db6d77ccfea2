import { command } from '../../../http/endpoint.ts'
import { loginRedirect, RedirectAnswer } from '../../../http/responses/answer-kinds.ts'
import { humanOrAnonymous, returnUrl, startOauth, zoomOf } from './zoom-oauth.ts'

export const registerZoomUser = command('GET /calls/zoom/register', {
  summary: 'Start the Zoom OAuth flow',
  root: true,
  access: humanOrAnonymous,
  params: {},
  returns: {},
  async handle({ realm, site, adapters, me, request, commit }) {
    const zoom = zoomOf(adapters)
    if (!me) return loginRedirect(request.path, 302)
    const state = await commit((change) =>
      startOauth(change, { userId: me.id, sessionId: request.sessionId }),
    )
    return new RedirectAnswer(zoom.authorizeUrl(state, returnUrl(site, realm)), { status: 302 })
  },
})
