import { z } from 'zod'
import { roles } from '../../../db/roles.ts'
import { allowAnonymous } from '../../../http/access.ts'
import { query } from '../../../http/endpoint.ts'
import { pathText } from '../../../http/params.ts'
import { roleSchema } from '../../people/users/user-params.ts'
import { ticketFor } from './tickets.ts'

export const getSignUp = query('GET /rookery/sign_ups/{key}', {
  summary: 'Get the pending registration that a confirmation key is valid for',
  access: allowAnonymous,
  params: { key: pathText() },
  returns: {
    email: z.string(),
    realm_name: z.string(),
    role: roleSchema,
    invited_by: z.string().nullable(),
  },
  async handle({ realm, params, read, site }) {
    const { email, invitation } = await ticketFor(read.rows, realm, params.key, site.clock())
    return {
      email,
      realm_name: realm.row.name,
      role: invitation?.role ?? roles.member,
      invited_by: invitation ? realm.users.require(invitation.inviter_id).full_name : null,
    }
  },
})
