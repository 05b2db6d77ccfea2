import { requireUser } from '../../../http/access.ts'
import { command } from '../../../http/endpoint.ts'
import { pathInteger } from '../../../http/params.ts'
import { userById } from '../kernel/users/access.ts'
import { changeParams, changeUser } from './change-user.ts'

export const updateUser = command('PATCH /users/{user_id}', {
  summary: 'Update a user',
  access: requireUser,
  params: { user_id: pathInteger(), ...changeParams },
  returns: {},
  handle(context) {
    const { realm, me, params } = context
    return changeUser(context, userById(realm, me, params.user_id), params)
  },
})
