import { requireUser } from '../../../http/access.ts'
import { query } from '../../../http/endpoint.ts'
import { pathText } from '../../../http/params.ts'
import { userView } from '../../kernel/users/user-view.ts'
import { userByEmail } from '../kernel/users/access.ts'
import { formatParams, formatWanted, userSchema } from './user-params.ts'

export const getUserByEmail = query('GET /users/{email}', {
  summary: 'Get a user by email address',
  access: requireUser,
  params: { email: pathText(), ...formatParams },
  returns: { user: userSchema },
  async handle({ realm, me, site, params }) {
    const user = userByEmail(realm, site, me, params.email)
    return { user: userView(realm, site, user, { viewer: me, ...formatWanted(params) }) }
  },
})
