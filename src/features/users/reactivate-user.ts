import { user } from '../../http/access.ts'
import { command } from '../../http/endpoint.ts'
import { pathInteger } from '../../http/params.ts'
import { administered, userById } from './access.ts'
import { reactivate } from './deactivation.ts'

export const reactivateUser = command('POST /users/{user_id}/reactivate', {
  summary: "Make somebody's account active again",
  access: user,
  params: { user_id: pathInteger() },
  returns: {},
  async handle({ realm, me, params, commit }) {
    administered(me, userById(realm, me, params.user_id))
    await commit(async (change) => {
      const target = change.state.users.get(params.user_id)!
      if (!target.is_active) await reactivate(change, target)
    })
    return {}
  },
})
