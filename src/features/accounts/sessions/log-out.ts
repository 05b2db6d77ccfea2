import { requireUser } from '../../../http/access.ts'
import { noSessionCookie, userCookie } from '../../../http/callers/session.ts'
import { command } from '../../../http/endpoint.ts'
import { CookieAnswer } from '../../../http/responses/answer-kinds.ts'
import { badRequest } from '../../../lib/api-error.ts'

export const logOut = command('DELETE /rookery/session', {
  summary: 'End the current browser session',
  access: requireUser,
  params: {},
  returns: {},
  async handle({ site, request, commit }) {
    const { sessionId } = request
    if (sessionId === null) throw badRequest('There is no session to end.')
    await commit((change) => change.deleteAll('session', [{ id: sessionId }]))
    return new CookieAnswer({}, [noSessionCookie(site), userCookie(site, undefined)])
  },
})
