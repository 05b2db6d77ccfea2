import { type RawBuilder, sql } from 'kysely'
import type { InvitationRow, SignUpRow } from '../../../db/schema.ts'
import { badRequest } from '../../../lib/api-error.ts'
import { must } from '../../../lib/must.ts'
import { hashKey } from '../../../lib/secrets/hash-key.ts'
import type { RealmState } from '../../../log/realm-state.ts'
import { realmSettings } from '../../kernel/settings/settings.ts'
import { isOpen } from '../kernel/invitations/invitations.ts'
import { checkRealmActive } from '../kernel/login/login-context.ts'

/**
 * The content of a mailed key: the permission to create an account with this address, with an invitation if there is
 * one.
 */
export type Ticket = { email: string; invitation: InvitationRow | null }

/** Reads rows, inside or outside a change. */
type Rows = <T>(query: RawBuilder<T>) => Promise<T[]>

/** Returns what a mailed key is valid for now. Throws 400 if it is invalid. */
export async function ticketFor(rows: Rows, realm: RealmState, key: string, now: number): Promise<Ticket> {
  checkRealmActive(realm)
  const invitation = await openInvitation(
    rows,
    realm,
    sql`email IS NOT NULL AND key_hash = ${hashKey(key)}`,
    now,
  )
  if (invitation) return { email: must(invitation.email, 'address in the invitation'), invitation }
  const [request] = await rows<SignUpRow>(sql`
    SELECT * FROM sign_up
    WHERE realm_id = ${realm.id} AND key_hash = ${hashKey(key)} AND expires_at > ${now}`)
  if (!request)
    throw badRequest(
      'This link is no longer valid. If you have joined already, sign in. If not, ask for a new one.',
    )
  if (request.invitation_id === null) {
    checkIsOpen(realm)
    return { email: request.email, invitation: null }
  }
  const link = await openInvitation(rows, realm, sql`id = ${request.invitation_id}`, now)
  if (!link) throw invitationOver()
  return { email: request.email, invitation: link }
}

/** Returns the invitation of a reusable link. Throws 400 if it has ended. */
export async function linkedInvitation(rows: Rows, realm: RealmState, key: string, now: number) {
  checkRealmActive(realm)
  const link = await openInvitation(rows, realm, sql`email IS NULL AND key_hash = ${hashKey(key)}`, now)
  if (!link) throw invitationOver()
  return link
}

/** Returns whether all users may join. Throws 401 if the organization is deactivated. */
export function isOpenToAll(realm: RealmState): boolean {
  checkRealmActive(realm)
  return !realmSettings(realm).invite_required
}

/** Throws unless all users may join. */
export function checkIsOpen(realm: RealmState) {
  if (!isOpenToAll(realm)) {
    throw badRequest('You need an invitation to join this organization. Ask a member for one.')
  }
}

async function openInvitation(rows: Rows, realm: RealmState, which: RawBuilder<unknown>, now: number) {
  const [invitation] = await rows<InvitationRow>(
    sql`SELECT * FROM invitation WHERE realm_id = ${realm.id} AND ${which} AND ${isOpen(now)}`,
  )
  return invitation
}

function invitationOver() {
  return badRequest('This invitation is no longer valid. Ask for a new one.')
}
