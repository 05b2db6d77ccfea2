import { sql } from 'kysely'
import type { Reader } from '../../../../db/database.ts'
import { roles } from '../../../../db/roles.ts'
import type { AccountRow, InvitationRow } from '../../../../db/schema.ts'
import { isAdministrator, requireHumanMember, requireOwner } from '../../../../http/access.ts'
import { badRequest, notPermitted } from '../../../../lib/api-error.ts'
import type { Change } from '../../../../log/change.ts'
import type { RealmState } from '../../../../log/realm-state.ts'
import { hasRealmPermission } from '../../../kernel/groups/access.ts'

/** Users who can have the permission to invite. */
export const requirePossibleInviter = requireHumanMember

type Permission = 'can_invite_users_group' | 'create_multiuse_invite_group'

/**
 * Throws unless the caller has the permission and may invite with this role. Inviting administrators or owners requires
 * the right to manage them.
 */
export function checkMayInvite(realm: RealmState, me: AccountRow, permission: Permission, role: number) {
  if (!hasRealmPermission(realm, me, permission)) throw notPermitted()
  checkMayGive(realm, me, role)
}

/** Throws unless the caller may invite with this role. */
export function checkMayGive(realm: RealmState, me: AccountRow, role: number) {
  if (role <= roles.moderator) checkMayRule(realm, me, role)
}

/** Returns a pending invitation by mail that the caller may change. */
export async function mailedInvitation(read: Reader, realm: RealmState, me: AccountRow, id: number) {
  const invitation = await findInvitation(read, realm, id)
  if (!invitation || invitation.email === null || invitation.ended_at !== null) throw noSuchInvitation()
  checkMine(realm, me, invitation)
  return { ...invitation, email: invitation.email }
}

/** Returns an active invitation link that the caller may change. */
export async function invitationLink(read: Reader, realm: RealmState, me: AccountRow, id: number) {
  const invitation = await findInvitation(read, realm, id)
  if (invitation?.email !== null) throw noSuchInvitation()
  checkMine(realm, me, invitation)
  if (invitation.ended_at !== null) throw badRequest('Invitation has already been revoked')
  return invitation
}

/** Throws if the invitation has been accepted or revoked in the meantime. Must be called in a commit. */
export async function checkStillOpen(change: Change, id: number) {
  const open = await change.run(
    sql`SELECT 1 FROM invitation WHERE realm_id = ${change.state.id} AND id = ${id} AND ended_at IS NULL`,
  )
  if (open.length === 0) throw noSuchInvitation()
}

function noSuchInvitation() {
  return badRequest('No such invitation')
}

async function findInvitation(read: Reader, realm: RealmState, id: number) {
  const [invitation] = await read.rows<InvitationRow>(
    sql`SELECT * FROM invitation WHERE realm_id = ${realm.id} AND id = ${id}::bigint`,
  )
  return invitation
}

function checkMine(realm: RealmState, me: AccountRow, { inviter_id, role }: InvitationRow) {
  if (inviter_id !== me.id) checkMayRule(realm, me, role)
}

function checkMayRule(realm: RealmState, me: AccountRow, role: number) {
  if (role === roles.owner) requireOwner(realm, me)
  if (!isAdministrator(me)) throw badRequest('Must be an organization administrator')
}
