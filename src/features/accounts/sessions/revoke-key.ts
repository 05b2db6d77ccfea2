import { requireUser } from '../../../http/access.ts'
import { command } from '../../../http/endpoint.ts'
import { pathInteger } from '../../../http/params.ts'
import { revokeOwnKey } from '../kernel/sessions/end-own-logins.ts'

export const revokeKey = command('DELETE /rookery/keys/{key_id}', {
  summary: "Revoke one of the caller's API keys immediately",
  access: requireUser,
  params: { key_id: pathInteger() },
  returns: {},
  async handle({ me, params, commit }) {
    await commit((change) => revokeOwnKey(change, me, params.key_id))
    return {}
  },
})
