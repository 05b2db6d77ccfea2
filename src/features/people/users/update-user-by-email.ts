import { requireUser } from '../../../http/access.ts'
import { command } from '../../../http/endpoint.ts'
import { pathText } from '../../../http/params.ts'
import { userByEmail } from '../kernel/users/access.ts'
import { changeParams, changeUser } from './change-user.ts'

export const updateUserByEmail = command('PATCH /users/{email}', {
  summary: 'Update a user found by email address',
  since: 313,
  access: requireUser,
  params: { email: pathText(), ...changeParams },
  returns: {},
  handle(context) {
    const { realm, site, me, params } = context
    return changeUser(context, userByEmail(realm, site, me, params.email), params)
  },
})
