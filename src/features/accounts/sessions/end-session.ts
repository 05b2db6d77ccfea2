import { requireUser } from '../../../http/access.ts'
import { command } from '../../../http/endpoint.ts'
import { pathInteger } from '../../../http/params.ts'
import { endOwnSession } from '../kernel/sessions/end-own-logins.ts'

export const endSession = command('DELETE /rookery/sessions/{session_id}', {
  summary: "End one of the caller's browser sessions",
  access: requireUser,
  params: { session_id: pathInteger() },
  returns: {},
  async handle({ me, params, commit }) {
    await commit((change) => endOwnSession(change, me, params.session_id))
    return {}
  },
})
