import { user } from '../../http/access.ts'
import { command } from '../../http/endpoint.ts'
import { pathText } from '../../http/params.ts'
import { administered, userByEmail } from './access.ts'
import { changeParams, changeUser } from './change-user.ts'

export const updateUserByEmail = command('PATCH /users/{email}', {
  summary: 'Change the name, role or e-mail address of a user found by e-mail address',
  since: 313,
  access: user,
  params: { email: pathText(), ...changeParams },
  returns: {},
  async handle({ realm, me, site, params, commit }) {
    const target = administered(me, userByEmail(realm, site, me, params.email))
    await changeUser(commit, site, me, target, params)
    return {}
  },
})
