import { requireHuman } from '../../../http/access.ts'
import { command } from '../../../http/endpoint.ts'
import { pathInteger } from '../../../http/params.ts'
import { RedirectAnswer } from '../../../http/responses/answer-kinds.ts'
import { revokeOwnKey } from '../kernel/sessions/end-own-logins.ts'

export const revokeKeyByForm = command('POST /account/keys/{key_id}/revoke', {
  summary: 'Revoke an API key from the account page',
  root: true,
  access: requireHuman,
  params: { key_id: pathInteger() },
  returns: {},
  async handle({ me, params, commit }) {
    await commit((change) => revokeOwnKey(change, me, params.key_id))
    return new RedirectAnswer('/account')
  },
})
