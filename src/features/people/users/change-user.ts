import { roles } from '../../../db/roles.ts'
import type { AccountRow } from '../../../db/schema.ts'
import { isAdministrator, unauthorizedPrincipal } from '../../../http/access.ts'
import type { CallerContext } from '../../../http/endpoint.ts'
import { integer, type Values } from '../../../http/params.ts'
import { badRequest, notPermitted } from '../../../lib/api-error.ts'
import type { Site } from '../../../lib/site.ts'
import { isEmail } from '../../../lib/text/email.ts'
import type { RealmState } from '../../../log/realm-state.ts'
import {
  checkedValues,
  checkValues,
  type NewValues,
  setValues,
  valuesParam,
} from '../kernel/profile-fields/values.ts'
import { userToAdminister } from '../kernel/users/access.ts'
import { checkFullName, fullNameParam } from '../kernel/users/names.ts'
import { addressRefusal } from './allowed-addresses.ts'
import { emailParam } from './email-param.ts'
import { checkEmailIsFree } from './emails.ts'

/** The parameters for changing another user. */
export const changeParams = {
  full_name: fullNameParam().optional(),
  role: integer({ oneOf: Object.values(roles) }).optional(),
  profile_data: valuesParam().optional(),
  new_email: emailParam().optional(),
}

type Sent = Partial<Values<typeof changeParams>>
type Columns = Partial<Pick<AccountRow, 'full_name' | 'role' | 'delivery_email'>>

/** Applies the sent changes, all or none, and emits them. Throws unless the current user may make them. */
export async function changeUser(
  { realm, site, me, commit }: CallerContext<'commit'>,
  target: AccountRow,
  sent: Sent,
) {
  userToAdminister(me, target)
  const values = valuesFor(realm, me, sent)
  checkChanges(realm, site, me, target, sent) // checks what it can before the change begins
  // Whether there is anything to change, only the change itself knows: another node may have changed it just now.
  await commit(async (change) => {
    const { users } = change.state
    const [user, current] = [users.require(target.id), users.require(me.id)]
    const columns = checkChanges(change.state, site, current, user, sent)
    checkValues(change.state, current, sent.profile_data ?? [])
    await setValues(change, user.id, values)
    if (Object.keys(columns).length > 0) await change.update('account', { id: user.id, ...columns })
  })
  return {}
}

// An administrator sends an empty value to remove a user's value.
function valuesFor(realm: RealmState, me: AccountRow, { profile_data = [] }: Sent): NewValues {
  const values = checkedValues(realm, me, profile_data)
  for (const { id, value } of profile_data) if (value?.length === 0) values.set(id, null)
  return values
}

function checkChanges(realm: RealmState, site: Site, me: AccountRow, user: AccountRow, sent: Sent): Columns {
  userToAdminister(me, user)
  const { new_email, role, full_name } = sent
  const columns: Columns = {}
  if (new_email !== undefined && new_email !== user.delivery_email) {
    checkEmail(realm, site, me, user, new_email)
    columns.delivery_email = new_email
  }
  if (role !== undefined && role !== user.role) {
    checkRole(realm, me, user, role)
    columns.role = role
  }
  // Clients send a blank name to keep the current one.
  const name = full_name?.trim()
  if (name && name !== user.full_name) columns.full_name = checkFullName(realm, name, user.id)
  return columns
}

function checkEmail(realm: RealmState, site: Site, me: AccountRow, user: AccountRow, email: string) {
  if (!me.can_change_user_emails) throw badRequest('User not authorized to change user emails')
  if (me.role !== roles.owner) throw unauthorizedPrincipal('Must be an organization owner')
  if (!isEmail(email)) throw badRequest('Invalid new email address.')
  const refusal = addressRefusal(realm, email)
  if (refusal) throw badRequest(`New email value error: ${refusal}`)
  const onlyCaseDiffers = email.toLowerCase() === user.delivery_email.toLowerCase()
  if (!onlyCaseDiffers) checkEmailIsFree(realm, site, email)
}

/** Throws unless the current user may give the user this role. */
export function checkRole(realm: RealmState, me: AccountRow, user: AccountRow, role: number) {
  if (!isAdministrator(me)) throw notPermitted()
  if (me.role !== roles.owner && (role === roles.owner || user.role === roles.owner)) {
    throw unauthorizedPrincipal('Must be an organization owner')
  }
  if (user.role === roles.owner && isLastOwner(realm, user)) {
    throw badRequest('The owner permission cannot be removed from the only organization owner.')
  }
}

/** Returns whether the user is the organization's only owner. */
export function isLastOwner(realm: RealmState, user: AccountRow) {
  for (const other of realm.users.values()) {
    if (other.id === user.id || other.role !== roles.owner) continue
    if (other.is_active && other.bot_type === null) return false
  }
  return true
}
