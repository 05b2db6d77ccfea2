import type { AccountRow } from '../../../../db/schema.ts'
import { isAdministrator } from '../../../../http/access.ts'
import { badRequest, notPermitted } from '../../../../lib/api-error.ts'
import { realmHost, type Site } from '../../../../lib/site.ts'
import type { RealmState } from '../../../../log/realm-state.ts'
import { seesEmail } from '../../../kernel/users/user-view.ts'
import { canSeeUser } from '../../../kernel/users/user-visibility.ts'

/** Returns a user whom the current user may see. Deactivated users are included, system bots are not. */
export function userById(realm: RealmState, me: AccountRow, id: number): AccountRow {
  return accessible(realm, me, realm.users.get(id))
}

/** Returns a user by an address that the current user may know: the real one if they see it, or the stand-in. */
export function userByEmail(realm: RealmState, site: Site, me: AccountRow, email: string): AccountRow {
  return accessible(realm, me, findByEmail(realm, site, me, email))
}

/**
 * Returns the user if the current user may administer them. Administrators may administer every user, and all users may
 * administer their own bots.
 */
export function userToAdminister(me: AccountRow, user: AccountRow): AccountRow {
  if (!isAdministrator(me) && user.bot_owner_id !== me.id) throw notPermitted()
  return user
}

function accessible(realm: RealmState, me: AccountRow, user: AccountRow | undefined): AccountRow {
  if (!user || user.is_system_bot) throw badRequest('No such user')
  if (!canSeeUser(realm, me, user)) throw notPermitted()
  return user
}

/** Returns the user with this address, if the current user may see both, or the user with this stand-in address. */
export function findByEmail(
  realm: RealmState,
  site: Site,
  me: AccountRow,
  email: string,
): AccountRow | undefined {
  const address = email.trim().toLowerCase()
  const known = realm.userByEmail(address)
  if (known && seesEmail(me, known) && canSeeUser(realm, me, known)) return known
  const [, id, host] = /^user(\d+)@(.+)$/.exec(address) ?? []
  return host === realmHost(site, realm.row).toLowerCase() ? realm.users.get(Number(id)) : undefined
}
