import type { Reader } from '../../db/database.ts'
import type { AccountRow } from '../../db/schema.ts'
import { isAdministrator } from '../../http/access.ts'
import type { CommandContext } from '../../http/endpoint.ts'
import { text, type Values } from '../../http/params.ts'
import { tooManyRequests } from '../../http/rate-limits.ts'
import { badRequest } from '../../lib/api-error.ts'
import { limits } from '../../lib/limits.ts'
import type { Change } from '../../log/change.ts'
import type { RealmState } from '../../log/realm-state.ts'
import { failedLogins } from '../login/failed-logins.ts'
import { checkPasswordStrength, hashPassword, isPassword } from '../login/passwords.ts'
import { realmSettings } from '../realm/settings.ts'
import { isEmail } from './emails.ts'
import { checkFullName } from './names.ts'
import { userUpdated } from './realm_user.event.ts'

/** What people may change of their own accounts besides settings. */
export const accountParams = {
  full_name: text().optional(),
  email: text({ trim: true }).optional(),
  old_password: text().default(''),
  new_password: text({ max: limits.passwordLength }).optional(),
}

type Sent = Values<typeof accountParams>
type Asked = Pick<CommandContext, 'realm' | 'site' | 'me' | 'read'>

/** What is to be changed: a name that differs and is allowed, the hash of a new password. */
export type AccountChange = { fullName?: string; passwordHash?: string }

/** Checks what was sent. 400 for whatever is wrong, 429 after too many wrong passwords. */
export async function checkAccount({ realm, site, me, read }: Asked, sent: Sent): Promise<AccountChange> {
  const change: AccountChange = {}
  const { new_password, old_password } = sent
  if (new_password !== undefined) {
    await checkPassword({ realm, site, me, read }, old_password)
    checkPasswordStrength(new_password, { email: me.delivery_email, fullName: me.full_name })
    change.passwordHash = await hashPassword(new_password)
  }
  if (sent.email !== undefined && sent.email !== me.delivery_email) refuseEmail(realm, me, sent.email)
  if (sent.full_name !== undefined && mayRename(realm, me)) {
    const fullName = checkFullName(realm, sent.full_name, me.id)
    if (fullName !== me.full_name) change.fullName = fullName
  }
  return change
}

export async function changeAccount(
  change: Change,
  userId: number,
  { fullName, passwordHash }: AccountChange,
) {
  if (passwordHash !== undefined) {
    const has = change.state.users.get(userId)!
    await change.update('credential', { user_id: has.id, password_hash: passwordHash })
  }
  if (fullName === undefined) return
  checkFullName(change.state, fullName, userId)
  await change.update('account', { id: userId, full_name: fullName })
  change.emit(userUpdated(userId, { full_name: fullName }), { everyone: true })
}

async function checkPassword({ realm, site, me, read }: Asked, password: string) {
  const failures = failedLogins(site, realm, me.delivery_email)
  const { allowed, wait } = failures.count()
  if (!allowed) throw tooManyRequests(wait)
  if (!(await isPassword(await storedHash(read, me), password))) throw badRequest('Wrong password!')
  failures.forgive()
}

async function storedHash(read: Reader, me: AccountRow): Promise<string | undefined> {
  const credential = await read
    .selectFrom('credential')
    .where('realm_id', '=', me.realm_id)
    .where('user_id', '=', me.id)
    .select('password_hash')
    .executeTakeFirst()
  return credential?.password_hash
}

// Clients send the name along with other things, so it is passed over where names may not be changed.
function mayRename(realm: RealmState, me: AccountRow) {
  return isAdministrator(me) || !realmSettings(realm).name_changes_disabled
}

// A new address takes effect once its owner has answered a mail, and there is no way to send one.
function refuseEmail(realm: RealmState, me: AccountRow, email: string): never {
  if (!isEmail(email)) throw badRequest('Invalid address.')
  if (realm.userByEmail(email.toLowerCase())) throw badRequest('Already has an account.')
  if (realmSettings(realm).email_changes_disabled && !isAdministrator(me)) {
    throw badRequest('Email address changes are disabled in this organization.')
  }
  throw badRequest(
    'This server does not send e-mail. Ask the owner of the organization to change your address.',
  )
}
