import { z } from 'zod'
import type { Reader } from '../../db/database.ts'
import type { AccountRow } from '../../db/schema.ts'
import { anyone } from '../../http/access.ts'
import { command } from '../../http/endpoint.ts'
import { text } from '../../http/params.ts'
import { tooManyRequests } from '../../http/rate-limits.ts'
import { ApiError, badRequest } from '../../lib/api-error.ts'
import type { RealmState } from '../../log/realm-state.ts'
import { isEmail } from '../users/emails.ts'
import { addApiKey } from './api-keys.ts'
import { failedLogins } from './failed-logins.ts'
import { isPassword } from './passwords.ts'

export const fetchApiKey = command('POST /fetch_api_key', {
  summary: 'Get an API key for an e-mail address and a password',
  access: anyone,
  params: { username: text({ trim: true }), password: text() },
  returns: { api_key: z.string(), email: z.string(), user_id: z.int() },
  async handle({ realm, params, read, site, request, commit }) {
    const { username, password } = params
    if (!isEmail(username)) throw badRequest('Enter a valid email address.')
    if (realm.realm.is_deactivated) throw organizationDeactivated()
    const failures = failedLogins(site, realm, username)
    // Counted before the password is looked at, so that many tries at once are no way around the limit.
    const { allowed, wait } = failures.count()
    if (!allowed) throw tooManyRequests(wait)
    const user = await whoHas(read, realm, username, password)
    if (!user) throw wrongCredentials()
    failures.forgive()
    const key = await commit(async (change) => {
      if (!change.state.users.get(user.id)?.is_active) throw deactivated()
      return addApiKey(change, user.id, request.client)
    })
    return { api_key: key, email: user.delivery_email, user_id: user.id }
  },
})

async function whoHas(
  read: Reader,
  realm: RealmState,
  email: string,
  password: string,
): Promise<AccountRow | undefined> {
  const user = realm.userByEmail(email.toLowerCase())
  const credential = await read
    .selectFrom('credential')
    .where('realm_id', '=', realm.id)
    .where('user_id', '=', user?.id ?? 0)
    .select('password_hash')
    .executeTakeFirst()
  return (await isPassword(credential?.password_hash, password)) ? user : undefined
}

function wrongCredentials() {
  return new ApiError('Your username or password is incorrect', 'AUTHENTICATION_FAILED', 401)
}

function deactivated() {
  return new ApiError('Account is deactivated', 'USER_DEACTIVATED', 401)
}

function organizationDeactivated() {
  return new ApiError('This organization has been deactivated', 'REALM_DEACTIVATED', 401)
}
