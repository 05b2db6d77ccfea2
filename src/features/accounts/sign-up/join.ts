import { sql } from 'kysely'
import { roles } from '../../../db/roles.ts'
import { isEnabled } from '../../kernel/login/methods.ts'
import { checkFullName } from '../../people/kernel/users/names.ts'
import { checkAddressAllowed } from '../../people/users/allowed-addresses.ts'
import { checkEmailIsFree } from '../../people/users/emails.ts'
import { grantsOf } from '../kernel/invitations/accepted-invitation.ts'
import { type Login, passwordsDisabled } from '../kernel/login/check-login.ts'
import type { LoginContext } from '../kernel/login/login-context.ts'
import { hashNewPassword } from '../kernel/login/passwords.ts'
import { addPerson } from '../kernel/users/add-person.ts'
import { ticketFor } from './tickets.ts'

/**
 * Creates the account for a mailed key, with the content of the invitation. This is also a login, and the function
 * returns it. A key creates one account. Throws 400 for an invalid key, name or password, and 401 where password logins
 * are disabled.
 */
export async function join(
  { realm, site, adapters, read, commit }: LoginContext,
  { key, full_name, password }: { key: string; full_name: string; password: string },
): Promise<Login> {
  if (!isEnabled(realm, adapters, 'Email')) throw passwordsDisabled()
  const { email } = await ticketFor(read.rows, realm, key, site.clock())
  checkAddressAllowed(realm, email)
  checkEmailIsFree(realm, site, email)
  const fullName = checkFullName(realm, full_name)
  const passwordHash = await hashNewPassword(realm, password, { email, fullName })
  const user = await commit(async (change) => {
    const { state } = change
    const { invitation } = await ticketFor((query) => change.run(query), state, key, change.now)
    checkFullName(state, fullName)
    const added = await addPerson(change, site, {
      email,
      fullName,
      passwordHash,
      ...(invitation ? grantsOf(state, invitation) : { role: roles.member }),
    })
    change.actFor(added.id)
    await change.run(
      sql`DELETE FROM sign_up WHERE realm_id = ${state.id} AND lower(email) = ${email.toLowerCase()}`,
    )
    return added
  })
  return { user, method: 'Email' }
}
