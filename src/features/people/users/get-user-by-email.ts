import { requireUser } from '../../../http/access.ts'
import { query } from '../../../http/endpoint.ts'
import { pathText } from '../../../http/params.ts'
import { userView } from '../../kernel/users/user-view.ts'
import { userByEmail } from '../kernel/users/access.ts'
import { formatParams, userSchema } from './user-params.ts'

export const getUserByEmail = query('GET /users/{email}', {
  summary: 'Get a user by email address',
  access: requireUser,
  params: { email: pathText(), ...formatParams },
  returns: { user: userSchema },
  async handle({ realm, me, site, params }) {
    const { email, client_gravatar, include_custom_profile_fields } = params
    const format = {
      viewer: me,
      clientGravatar: client_gravatar,
      includeProfile: include_custom_profile_fields,
    }
    return { user: userView(realm, site, userByEmail(realm, site, me, email), format) }
  },
})
