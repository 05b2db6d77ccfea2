import { requireUser } from '../../../http/access.ts'
import { query } from '../../../http/endpoint.ts'
import { pathInteger } from '../../../http/params.ts'
import { userView } from '../../kernel/users/user-view.ts'
import { userById } from '../kernel/users/access.ts'
import { formatParams, formatWanted, userSchema } from './user-params.ts'

export const getUser = query('GET /users/{user_id}', {
  summary: 'Get a user by id',
  since: 1,
  access: requireUser,
  params: { user_id: pathInteger(), ...formatParams },
  returns: { user: userSchema },
  async handle({ realm, me, site, params }) {
    const user = userById(realm, me, params.user_id)
    return { user: userView(realm, site, user, { viewer: me, ...formatWanted(params) }) }
  },
})
