import { type RawBuilder, sql } from 'kysely'
import { z } from 'zod'
import type { Reader } from '../../../../db/database.ts'
import type { AccountRow, InvitationRow } from '../../../../db/schema.ts'
import { isAdministrator, roles } from '../../../../http/access.ts'
import { limits } from '../../../../lib/limits.ts'
import { realmUrl, type Site } from '../../../../lib/site.ts'
import type { Change } from '../../../../log/change.ts'
import type { RealmState } from '../../../../log/realm-state.ts'
import { openLinkKey } from '../../../kernel/invitations/keys.ts'
import { administratorIds } from '../../../people/kernel/users/administrators.ts'
import { checkStillOpen } from './access.ts'
import { invitesChanged } from './invites_changed.event.ts'

export const invitationSchema = z.object({
  id: z.int(),
  invited_by_user_id: z.int(),
  invited: z.int(),
  expiry_date: z.int().nullable(),
  invited_as: z.int(),
  is_multiuse: z.boolean(),
  /** Of an invitation by mail. */
  email: z.string().optional(),
  notify_referrer_on_join: z.boolean().optional(),
  /** Of a link. */
  link_url: z.string().optional(),
})

/** An invitation as it is on the wire; the address of a link that cannot be read again is empty. */
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

/** The address of an invitation link. */
export function joinUrl(realm: RealmState, site: Site, key: string) {
  return `${realmUrl(site, realm.realm)}/join/${key}/`
}

/**
 * The invitations that are open and that the user may see, those by mail first: all for administrators, or else their
 * own. A link is shown to those only who could still make one like it, since whoever has it can use it.
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

/** Whether it is a link to more power than the user may give away. */
function isLinkBeyond({ email, role }: InvitationRow, me: AccountRow) {
  return email === null && role <= roles.moderator && me.role > Math.min(role, roles.administrator)
}

/** The condition that an invitation can be taken up. */
export function isOpen(now: number) {
  return sql`ended_at IS NULL AND (expires_at IS NULL OR expires_at > ${now})`
}

/** Tells those who may see invitations of this inviter that something about them has changed. */
export function emitInvitationsChanged(change: Change, inviterId: number) {
  const users = [...new Set([...administratorIds(change.state), inviterId])]
  change.emit(invitesChanged(), { users })
}

/** Withdraws an invitation. Throws if it has been taken up or withdrawn meanwhile. */
export async function revokeInvitation(change: Change, { id, inviter_id }: InvitationRow) {
  await checkStillOpen(change, id)
  await change.update('invitation', { id, ended_at: change.now })
  emitInvitationsChanged(change, inviter_id)
}

/** Withdraws all invitations of somebody who is no longer there to answer for them. */
export function revokeInvitationsOf(change: Change, inviterId: number) {
  return revokeWhere(change, inviterId, sql`true`)
}

/** Withdraws those to more power than the inviter, who has another role now, may give away. */
export function revokeInvitationsBeyond(change: Change, { id, role }: AccountRow) {
  const isBeyond = sql`role <= ${roles.moderator} AND ${role}::integer > least(role, ${roles.administrator})`
  return revokeWhere(change, id, isBeyond)
}

async function revokeWhere(change: Change, inviterId: number, condition: RawBuilder<unknown>) {
  const revoked = await change.run(sql`
    UPDATE invitation SET ended_at = ${change.now}
    WHERE realm_id = ${change.state.id} AND inviter_id = ${inviterId} AND ${isOpen(change.now)} AND ${condition}
    RETURNING 1 AS one`)
  if (revoked.length > 0) emitInvitationsChanged(change, inviterId)
}

/** Ends the invitations by mail to somebody who has joined, whichever way, and tells whose they were. */
export async function endInvitationsTo(change: Change, email: string) {
  const ended = await change.run<{ inviter_id: number }>(sql`
    UPDATE invitation SET ended_at = ${change.now}
    WHERE realm_id = ${change.state.id} AND lower(email) = ${email.toLowerCase()} AND ended_at IS NULL
    RETURNING inviter_id`)
  for (const inviterId of new Set(ended.map((row) => row.inviter_id)))
    emitInvitationsChanged(change, inviterId)
}

/** Forgets invitations that are long over; not new ones, whenever they end, so that they count for today's limit. */
export async function forgetOldInvitations(change: Change) {
  const longAgo = change.now - limits.invitationsKeptDays * 86_400
  await change.run(sql`
    DELETE FROM invitation
    WHERE realm_id = ${change.state.id} AND least(ended_at, expires_at) < ${longAgo} AND created_at < ${longAgo}`)
}
