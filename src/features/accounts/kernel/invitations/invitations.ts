import { type RawBuilder, sql } from 'kysely'
import { z } from 'zod'
import type { Reader } from '../../../../db/database.ts'
import { roles } from '../../../../db/roles.ts'
import type { AccountRow, InvitationRow } from '../../../../db/schema.ts'
import { isAdministrator } from '../../../../http/access.ts'
import { realmUrl, type Site } from '../../../../lib/site.ts'
import type { Change } from '../../../../log/change.ts'
import type { RealmState } from '../../../../log/realm-state.ts'
import { openLinkKey } from '../../../kernel/invitations/keys.ts'
import { administratorIds } from '../../../people/kernel/users/administrators.ts'
import { checkStillOpen } from './access.ts'
import { invitesChanged } from './invites_changed.event.ts'
import { invitationLimits } from './limits.ts'

export const invitationSchema = z.object({
  id: z.int(),
  invited_by_user_id: z.int(),
  invited: z.int(),
  expiry_date: z.int().nullable(),
  invited_as: z.int(),
  is_multiuse: z.boolean(),
  /** Only invitations by mail. */
  email: z.string().optional(),
  notify_referrer_on_join: z.boolean().optional(),
  /** Only links. */
  link_url: z.string().optional(),
})

/** Returns an invitation as on the wire. The address of a link that cannot be read again is empty. */
export function invitationView(realm: RealmState, site: Site, invitation: InvitationRow) {
  const { id, email, inviter_id, created_at, expires_at, role, notifies_inviter } = invitation
  const common = { id, invited_by_user_id: inviter_id, invited: created_at, expiry_date: expires_at }
  if (email === null) {
    const key = openLinkKey(site.secrets, invitation)
    const link_url = key === undefined ? '' : joinUrl(realm, site, key)
    return { ...common, invited_as: role, is_multiuse: true, link_url }
  }
  return { ...common, email, invited_as: role, is_multiuse: false, notify_referrer_on_join: notifies_inviter }
}

/** Returns the address of an invitation link. */
export function joinUrl(realm: RealmState, site: Site, key: string) {
  return `${realmUrl(site, realm.row)}/join/${key}/`
}

/**
 * Returns the open invitations that the user may see, those by mail first: all for administrators, their own for other
 * users. A link is shown only to users who could still create the same link, because every reader can use it.
 */
export async function invitationsFor(
  read: Reader,
  realm: RealmState,
  me: AccountRow,
  now: number,
): Promise<InvitationRow[]> {
  const rows = await read.rows<InvitationRow>(sql`
    SELECT * FROM invitation WHERE realm_id = ${realm.id} AND ${isOpen(now)} ORDER BY email IS NULL, id`)
  return rows.filter((row) => (row.inviter_id === me.id || isAdministrator(me)) && !isLinkBeyond(row, me))
}

/** Returns whether an invitation is a link with more permissions than the user may grant. */
function isLinkBeyond({ email, role }: InvitationRow, me: AccountRow) {
  return email === null && role <= roles.moderator && me.role > Math.min(role, roles.administrator)
}

/** Returns the condition that an invitation can be accepted. */
export function isOpen(now: number) {
  return sql`ended_at IS NULL AND (expires_at IS NULL OR expires_at > ${now})`
}

/** Notifies the users who may see this inviter's invitations of a change. */
export function emitInvitationsChanged(change: Change, inviterId: number) {
  const users = [...new Set([...administratorIds(change.state), inviterId])]
  change.emit(invitesChanged(), { users })
}

/** Revokes an invitation. Throws if it has been accepted or revoked in the meantime. */
export async function revokeInvitation(change: Change, { id, inviter_id }: InvitationRow) {
  await checkStillOpen(change, id)
  await change.update('invitation', { id, ended_at: change.now })
  emitInvitationsChanged(change, inviter_id)
}

/** Revokes all invitations of a user who may no longer invite anyone. */
export function revokeInvitationsOf(change: Change, inviterId: number) {
  return revokeWhere(change, inviterId, sql`true`)
}

/**
 * Revokes the invitations with more permissions than the inviter may grant after a role change. Guests may invite no one.
 */
export function revokeInvitationsBeyond(change: Change, { id, role }: AccountRow) {
  if (role === roles.guest) return revokeInvitationsOf(change, id)
  const isBeyond = sql`role <= ${roles.moderator} AND ${role}::integer > least(role, ${roles.administrator})`
  return revokeWhere(change, id, isBeyond)
}

async function revokeWhere(change: Change, inviterId: number, condition: RawBuilder<unknown>) {
  const revoked = await endWhere(
    change,
    sql`inviter_id = ${inviterId} AND ${isOpen(change.now)} AND ${condition}`,
  )
  if (revoked.length > 0) emitInvitationsChanged(change, inviterId)
}

/** Ends the invitations by mail to a user who has joined in any way, and notifies their inviters. */
export async function endInvitationsTo(change: Change, email: string) {
  const ended = await endWhere(change, sql`lower(email) = ${email.toLowerCase()} AND ended_at IS NULL`)
  for (const inviterId of new Set(ended.map((row) => row.inviter_id)))
    emitInvitationsChanged(change, inviterId)
}

/** Returns the invitations that this has ended. */
async function endWhere(change: Change, condition: RawBuilder<unknown>): Promise<InvitationRow[]> {
  const open = await change.run(sql<{ id: number }>`
    SELECT id FROM invitation WHERE realm_id = ${change.state.id} AND ${condition}`)
  return change.updateAll(
    'invitation',
    open.map(({ id }) => ({ id, ended_at: change.now })),
  )
}

/**
 * Deletes invitations that ended long ago. Recent ones stay, even if they have ended, because they count for the daily
 * limit.
 */
export async function forgetOldInvitations(change: Change) {
  const longAgo = change.now - invitationLimits.invitationsKeptDays * 86_400
  await change.run(sql`
    DELETE FROM invitation
    WHERE realm_id = ${change.state.id} AND least(ended_at, expires_at) < ${longAgo} AND created_at < ${longAgo}`)
}
