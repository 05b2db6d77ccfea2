import type { Reader } from '../../../../db/database.ts'
import type { AccountRow } from '../../../../db/schema.ts'
import { ApiError, badRequest } from '../../../../lib/api-error.ts'
import { ComponentError } from '../../../../lib/component.ts'
import { must } from '../../../../lib/must.ts'
import { isEmail } from '../../../../lib/text/email.ts'
import type { RealmState } from '../../../../log/realm-state.ts'
import { isEnabled, type LoginMethod } from '../../../kernel/login/methods.ts'
import { accountFor } from '../sign-on/account-for.ts'
import { countAttempt, isSameName, noteFailure } from './attempts.ts'
import { logRefusal } from './log-refusal.ts'
import { checkRealmActive, checkUserActive, type LoginContext } from './login-context.ts'
import { isPassword } from './passwords.ts'

/** A login and its method. `passwordHash`: the stored hash of the password that was given. */
export type Login = {
  user: AccountRow
  method: LoginMethod | 'JWT' | 'development'
  passwordHash?: string
}

/**
 * Returns the user with this name and password, from this server or from the directory, if there is one. The directory
 * also knows names that are not addresses. Throws 401 if no user matches, if the user is deactivated, or if password
 * logins are disabled, and 429 after too many failures. The commit of the login must begin with `confirmLogin`.
 */
export function checkLogin(context: LoginContext, username: string, password: string): Promise<Login> {
  const { realm, adapters, request } = context
  const method = isEnabled(realm, adapters, 'LDAP') ? 'LDAP' : 'Email'
  const userId = realm.userByEmail(username.toLowerCase())?.id
  return logRefusal(request, { method, userId }, () => checkedLogin(context, username, password))
}

async function checkedLogin(context: LoginContext, username: string, password: string): Promise<Login> {
  const { realm, adapters, commit, read, request } = context
  const hasDirectory = isEnabled(realm, adapters, 'LDAP')
  if (!hasDirectory && !isEmail(username)) throw badRequest('Enter a valid email address.')
  checkRealmActive(realm)
  if (!hasDirectory && !isEnabled(realm, adapters, 'Email')) throw passwordsDisabled()
  await countAttempt(commit, username, context.request.ip)
  const asked = hasDirectory ? await askDirectory(context, username, password) : undefined
  if (asked && !(asked instanceof ComponentError)) return asked
  const own = isEnabled(realm, adapters, 'Email')
    ? await loginByPassword(read, realm, username, password)
    : undefined
  if (!own?.user.is_active) await noteFailure(commit, username, request.ip)
  if (!own) throw asked ?? wrongPassword()
  if (asked) request.report(asked)
  return { ...own, user: checkUserActive(own.user), method: 'Email' }
}

export function wrongPassword() {
  return new ApiError('Your username or password is incorrect', 'AUTHENTICATION_FAILED', 401)
}

export function passwordsDisabled() {
  const message = 'Password authentication is disabled in this organization'
  return new ApiError(message, 'PASSWORD_AUTH_DISABLED', 401)
}

/**
 * Asks the directory. Returns its errors instead of throwing them, because users with a password on this server can log
 * in even if the directory is down.
 */
async function askDirectory(
  context: LoginContext,
  username: string,
  password: string,
): Promise<Login | ComponentError | undefined> {
  const { commit, request } = context
  try {
    const directory = must(context.adapters.signOn?.directory, 'directory')
    // A directory finds a user by several names and spellings, so the attempts count for the user that it has found.
    const identity = await directory.check(username, password, async (found) => {
      if (!isSameName(found, username)) await countAttempt(commit, found, request.ip)
    })
    return identity && { user: await accountFor(context, identity), method: 'LDAP' }
  } catch (error) {
    if (error instanceof ComponentError) return error
    throw error
  }
}

async function loginByPassword(
  read: Reader,
  realm: RealmState,
  email: string,
  password: string,
): Promise<Pick<Login, 'user' | 'passwordHash'> | undefined> {
  const user = realm.userByEmail(email.toLowerCase())
  const credential = await read
    .selectFrom('credential')
    .where('realm_id', '=', realm.id)
    .where('user_id', '=', user?.id ?? 0)
    .select('password_hash')
    .executeTakeFirst()
  const isRight = await isPassword(credential?.password_hash, password)
  return isRight && user && credential ? { user, passwordHash: credential.password_hash } : undefined
}
