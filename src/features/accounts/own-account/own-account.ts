import type { Reader } from '../../../db/database.ts'
import type { AccountRow } from '../../../db/schema.ts'
import { isAdministrator } from '../../../http/access.ts'
import type { CallerContext } from '../../../http/endpoint.ts'
import { text, type Values } from '../../../http/params.ts'
import { badRequest } from '../../../lib/api-error.ts'
import type { Site } from '../../../lib/site.ts'
import type { Change } from '../../../log/change.ts'
import type { RealmState } from '../../../log/realm-state.ts'
import { realmSettings } from '../../kernel/settings/settings.ts'
import { checkFullName, fullNameParam } from '../../people/kernel/users/names.ts'
import { emailParam } from '../../people/users/email-param.ts'
import { checkNewEmail, startEmailChange } from '../kernel/email-change/change-email.ts'
import { countAttempt, forgiveAttempts } from '../kernel/login/attempts.ts'
import { isCurrentPassword } from '../kernel/login/confirm-login.ts'
import { hashNewPassword, isPassword, newPasswordParam } from '../kernel/login/passwords.ts'
import { putPassword } from '../kernel/login/put-password.ts'

/** The parts of their own account, besides settings, that users may change. */
export const accountParams = {
  full_name: fullNameParam().optional(),
  email: emailParam().optional(),
  old_password: text().default(''),
  new_password: newPasswordParam().optional(),
}

type Sent = Values<typeof accountParams>
type Asked = CallerContext<'read' | 'commit' | 'request'>

/**
 * The changes to make: a name and an address that are allowed, the hash of a new password, and the session that stays
 * alive.
 */
type AccountChange = {
  fullName?: string
  email?: string
  passwordHash?: string
  /** The stored hash of the password that permits the change. */
  provenHash?: string
  sessionId?: number | null
}

/** Checks the parameters. Throws 400 for invalid values, and 429 after too many wrong passwords. */
export async function checkAccount(asked: Asked, sent: Sent): Promise<AccountChange> {
  const { realm, me } = asked
  const change: AccountChange = {}
  const { new_password, old_password } = sent
  if (new_password !== undefined) {
    change.provenHash = await provenHash(asked, old_password)
    const person = { email: me.delivery_email, fullName: me.full_name }
    change.passwordHash = await hashNewPassword(realm, new_password, person)
    change.sessionId = asked.request.sessionId
  }
  // Whether they differ from the current ones, only the change knows: another node may have changed those just now.
  if (sent.email !== undefined) {
    if (sent.email !== me.delivery_email) checkNewEmail(realm, me, sent.email)
    change.email = sent.email
  }
  if (sent.full_name !== undefined && mayRename(realm, me)) {
    change.fullName = checkFullName(realm, sent.full_name, me.id)
  }
  return change
}

/** Makes the change and emits its events. A new address waits for its confirmation by mail. */
export async function changeAccount(
  change: Change,
  site: Site,
  userId: number,
  { fullName, email, passwordHash, provenHash, sessionId }: AccountChange,
) {
  const me = change.state.users.require(userId)
  if (provenHash !== undefined && !(await isCurrentPassword(change, me.id, provenHash))) throw wrongPassword()
  if (passwordHash !== undefined) await putPassword(change, me.id, passwordHash, sessionId)
  if (email !== undefined && email !== me.delivery_email) await startEmailChange(change, site, me, email)
  if (fullName === undefined || fullName === me.full_name || !mayRename(change.state, me)) return
  checkFullName(change.state, fullName, userId)
  await change.update('account', { id: userId, full_name: fullName })
}

/** Returns the stored hash of the user's password. Throws unless this is the password. */
async function provenHash({ me, read, commit, request }: Asked, password: string): Promise<string> {
  await countAttempt(commit, me.delivery_email, request.ip)
  const hash = await storedHash(read, me)
  if (hash === undefined || !(await isPassword(hash, password))) throw wrongPassword()
  await commit((change) => forgiveAttempts(change, me.delivery_email, request.ip))
  return hash
}

function wrongPassword() {
  return badRequest('Wrong password!')
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

// Clients send the name together with other parameters, so it is ignored where names may not be changed.
function mayRename(realm: RealmState, me: AccountRow) {
  return isAdministrator(me) || !realmSettings(realm).name_changes_disabled
}
