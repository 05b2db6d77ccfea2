import { z } from 'zod'
import { roles } from '../../../db/roles.ts'
import { requireAdministrator } from '../../../http/access.ts'
import { command } from '../../../http/endpoint.ts'
import { badRequest } from '../../../lib/api-error.ts'
import { isEmail } from '../../../lib/text/email.ts'
import { checkFullName, fullNameParam } from '../../people/kernel/users/names.ts'
import { checkAddressAllowed } from '../../people/users/allowed-addresses.ts'
import { emailParam } from '../../people/users/email-param.ts'
import { checkEmailIsFree } from '../../people/users/emails.ts'
import { hashNewPassword, newPasswordParam } from '../kernel/login/passwords.ts'
import { addPerson } from '../kernel/users/add-person.ts'

export const createUser = command('POST /users', {
  summary: 'Create a user',
  creates: true,
  access: requireAdministrator,
  params: {
    email: emailParam(),
    password: newPasswordParam(),
    full_name: fullNameParam(),
  },
  returns: { user_id: z.int() },
  async handle({ realm, me, site, params, conclude }) {
    const { email, password } = params
    if (!me.can_create_users) throw badRequest('User not authorized to create users')
    const fullName = checkFullName(realm, params.full_name)
    if (!isEmail(email)) throw badRequest('Enter a valid email address.')
    checkAddressAllowed(realm, email)
    checkEmailIsFree(realm, site, email)
    const passwordHash = await hashNewPassword(realm, password, { email, fullName })
    return conclude(async (change) => {
      checkFullName(change.state, fullName)
      const user = await addPerson(change, site, { email, fullName, role: roles.member, passwordHash })
      return { user_id: user.id }
    })
  },
})
