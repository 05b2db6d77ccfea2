import { requireHuman } from '../../../http/access.ts'
import { command } from '../../../http/endpoint.ts'
import { pathInteger } from '../../../http/params.ts'
import { RedirectAnswer } from '../../../http/responses/answer-kinds.ts'
import { endOwnSession } from '../kernel/sessions/end-own-logins.ts'

export const endSessionByForm = command('POST /account/sessions/{session_id}/end', {
  summary: 'End a browser session from the account page',
  root: true,
  access: requireHuman,
  params: { session_id: pathInteger() },
  returns: {},
  async handle({ me, params, commit }) {
    await commit((change) => endOwnSession(change, me, params.session_id))
    return new RedirectAnswer('/account')
  },
})
