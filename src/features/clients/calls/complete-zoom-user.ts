import { ZoomError, type ZoomTokens } from '../../../adapters/zoom.ts'
import { command } from '../../../http/endpoint.ts'
import { text } from '../../../http/params.ts'
import { PageAnswer } from '../../../http/responses/answer-kinds.ts'
import { badRequest } from '../../../lib/api-error.ts'
import { ComponentError } from '../../../lib/component.ts'
import { html } from '../../../lib/text/html.ts'
import { page } from '../../accounts/kernel/pages/layout.ts'
import { textsOf } from '../../accounts/kernel/pages/texts.ts'
import { keepTokens } from '../kernel/calls/zoom-tokens.ts'
import { humanOrAnonymous, returnUrl, verifyOauthState, zoomOf } from './zoom-oauth.ts'

export const completeZoomUser = command('GET /calls/zoom/complete', {
  summary: 'Complete the Zoom OAuth flow',
  root: true,
  access: humanOrAnonymous,
  params: {
    code: text().optional(),
    state: text().optional(),
    error: text().optional(),
    error_description: text().optional(),
  },
  returns: {},
  async handle({ realm, site, adapters, me, params, request, commit }) {
    const zoom = zoomOf(adapters)
    const { code, state = '' } = params
    const user = me && { userId: me.id, sessionId: request.sessionId }
    if (!user || !(await commit((change) => verifyOauthState(change, state, user)))) throw expiredState()
    if (code === undefined) throw badRequest('Zoom was not connected, because you did not allow it there.')
    const tokens = await explainFailure(zoom.tokensFor(code, returnUrl(site, realm)))
    await commit((change) => keepTokens(change, site, user.userId, tokens))
    const texts = textsOf({ realm, request })
    const { t } = texts
    return new PageAnswer(page(texts, t('zoom.title'), html`<p>${t('zoom.done')}</p>`))
  },
})

/** Says that Zoom was not connected, and whether the reason is a fault of Zoom. */
async function explainFailure(tokens: Promise<ZoomTokens>): Promise<ZoomTokens> {
  try {
    return await tokens
  } catch (error) {
    if (!(error instanceof ZoomError)) throw error
    const message = `Zoom was not connected. ${error.message}`
    throw error.problem === 'Zoom' ? new ComponentError('Zoom', message, error.cause) : badRequest(message)
  }
}

function expiredState() {
  return badRequest(
    'This connection to Zoom has expired, or was started in another browser. Close this window and try again.',
  )
}
