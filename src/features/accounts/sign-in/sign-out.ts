import { requireHuman } from '../../../http/access.ts'
import { noSessionCookie, userCookie } from '../../../http/callers/session.ts'
import { command } from '../../../http/endpoint.ts'
import { RedirectAnswer } from '../../../http/responses/answer-kinds.ts'

export const signOut = command('POST /logout', {
  summary: 'Sign out from a page',
  root: true,
  access: requireHuman,
  params: {},
  returns: {},
  async handle({ site, request, commit }) {
    const { sessionId } = request
    if (sessionId !== null) await commit((change) => change.deleteAll('session', [{ id: sessionId }]))
    return new RedirectAnswer('/login', { cookies: [noSessionCookie(site), userCookie(site, undefined)] })
  },
})
