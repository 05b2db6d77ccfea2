import { sql } from 'kysely'
import { isRecent } from '../../../db/recently.ts'
import type { InvitationRow } from '../../../db/schema.ts'
import { command } from '../../../http/endpoint.ts'
import { boolean, text } from '../../../http/params.ts'
import { ApiError, badRequest } from '../../../lib/api-error.ts'
import { firstIn } from '../../../lib/must.ts'
import { hashKey } from '../../../lib/secrets/hash-key.ts'
import type { Change } from '../../../log/change.ts'
import { newLinkKey } from '../../kernel/invitations/keys.ts'
import { type Mail, queueMails } from '../../kernel/mail/queue-mail.ts'
import { checkMayInvite, requirePossibleInviter } from '../kernel/invitations/access.ts'
import { invitationMail } from '../kernel/invitations/invitation-mail.ts'
import { emitInvitationsChanged, forgetOldInvitations } from '../kernel/invitations/invitations.ts'
import { invitationLimits } from '../kernel/invitations/limits.ts'
import { checkMailedLately, invitationsToOne } from '../kernel/invitations/mailed-lately.ts'
import {
  invalidAddresses,
  invitationFailed,
  inviteeAddresses,
  inviteesPattern,
  knownAddresses,
  type Refusal,
} from './invitees.ts'
import { expiryOf, termsOf, termsParams } from './terms.ts'

const permission = 'can_invite_users_group'

export const sendInvites = command('POST /invites', {
  summary: 'Invite people by email address',
  creates: true,
  access: requirePossibleInviter,
  params: {
    invitee_emails: text().documentedAs({
      pattern: inviteesPattern,
      description: 'Email addresses, separated by commas or line breaks.',
    }),
    ...termsParams,
    notify_referrer_on_join: boolean().default(true),
  },
  returns: {},
  async handle(context) {
    const { realm, me, site, params, conclude } = context
    checkMayInvite(realm, me, permission, params.invite_as)
    const addresses = inviteeAddresses(params.invitee_emails)
    if (addresses.length === 0) throw badRequest('You must specify at least one email address.')
    if (addresses.length > invitationLimits.invitationsPerDay) throw tooMany()
    const given = { ...termsOf(realm, me, params), notifies_inviter: params.notify_referrer_on_join }
    const invalid = invalidAddresses(realm, addresses)
    if (invalid.length > 0) {
      throw invitationFailed("Some emails did not validate, so we didn't send any invitations.", invalid)
    }
    const known = knownAddresses(realm, site, addresses)
    if (known.length === addresses.length) {
      throw invitationFailed("We weren't able to invite anyone.", known)
    }
    const refused = new Set(known.map(([email]) => email))
    const expiresAt = expiryOf(params.invite_expires_in_minutes, site.clock())
    const invitations = addresses
      .filter((email) => !refused.has(email))
      .map((to) => ({ to, key: newLinkKey(), expiresAt }))
    const mails = invitations.map((one) => invitationMail(realm, site, me, one))
    const rows = invitations.map(({ to, key }) => ({
      email: to,
      inviter_id: me.id,
      ...given,
      key_hash: hashKey(key),
      created_at: site.clock(),
      expires_at: expiresAt,
    }))
    const answer = await conclude(async (change) => {
      const joined = knownAddresses(
        change.state,
        site,
        mails.map(({ to }) => to),
      )
      if (joined.length > 0) throw invitationFailed("We weren't able to invite anyone.", joined)
      await invite(change, rows, mails)
      return known.length > 0 ? sentToOthers(known) : {}
    })
    // Thrown inside, it would undo the invitations to the others.
    if (answer instanceof ApiError) throw answer
    return answer
  },
})

function sentToOthers(known: Refusal[]) {
  const message = 'Some of these people have an account already and got no invitation. All others did.'
  return invitationFailed(message, known, { sent: true })
}

async function invite(change: Change, rows: Invitation[], mails: Mail[]) {
  const { inviter_id, role } = firstIn(rows)
  checkMayInvite(change.state, change.state.users.require(inviter_id), permission, role)
  await checkDailyLimit(change, rows.length)
  await checkMailedLately(change, { kind: 'invitation', to: mails.map((mail) => mail.to) }, invitationsToOne)
  await forgetOldInvitations(change)
  await change.insertAll('invitation', rows)
  await queueMails(change, mails)
  emitInvitationsChanged(change, inviter_id)
}

type Invitation = Partial<InvitationRow> & Pick<InvitationRow, 'inviter_id' | 'role'>

/** Throws after too many invitations a day, so that a server cannot be used for mass mail. */
async function checkDailyLimit(change: Change, more: number) {
  const sent = firstIn(
    await change.run<{ count: number }>(sql`
    SELECT count(*) AS count FROM invitation
    WHERE realm_id = ${change.state.id} AND email IS NOT NULL AND ${isRecent('created_at', change.now, 86_400)}`),
  )
  if (sent.count + more > invitationLimits.invitationsPerDay) throw tooMany()
}

function tooMany() {
  return invitationFailed(
    `An organization can send ${invitationLimits.invitationsPerDay} invitations a day. This would be more, so none were sent.`,
    [],
    { dailyLimit: true },
  )
}
