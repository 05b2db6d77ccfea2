import { user } from '../../http/access.ts'
import { command } from '../../http/endpoint.ts'
import { pathInteger } from '../../http/params.ts'
import { administered, userById } from './access.ts'
import { changeParams, changeUser } from './change-user.ts'

export const updateUser = command('PATCH /users/{user_id}', {
  summary: "Change a user's name, role or e-mail address",
  access: user,
  params: { user_id: pathInteger(), ...changeParams },
  returns: {},
  async handle({ realm, me, site, params, commit }) {
    const target = administered(me, userById(realm, me, params.user_id))
    await changeUser(commit, site, me, target, params)
    return {}
  },
})
