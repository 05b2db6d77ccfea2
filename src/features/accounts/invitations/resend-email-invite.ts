import { command } from '../../../http/endpoint.ts'
import { pathInteger } from '../../../http/params.ts'
import { hashKey } from '../../../lib/secrets/hash-key.ts'
import { newLinkKey } from '../../kernel/invitations/keys.ts'
import { queueMail } from '../../kernel/mail/queue-mail.ts'
import {
  checkMayGive,
  checkStillOpen,
  mailedInvitation,
  requirePossibleInviter,
} from '../kernel/invitations/access.ts'
import { invitationMail } from '../kernel/invitations/invitation-mail.ts'
import { checkMailedLately, invitationsToOne } from '../kernel/invitations/mailed-lately.ts'

export const resendEmailInvite = command('POST /invites/{invite_id}/resend', {
  summary: 'Resend an email invitation with a new link and its full validity',
  creates: true,
  access: requirePossibleInviter,
  params: { invite_id: pathInteger() },
  returns: {},
  async handle({ realm, me, params, read, site, conclude }) {
    const invitation = await mailedInvitation(read, realm, me, params.invite_id)
    const { id, email: to, role, created_at, expires_at } = invitation
    checkMayGive(realm, me, role) // those whose invitation it is may have lost their own role
    const from = realm.users.require(invitation.inviter_id)
    const key = newLinkKey()
    return conclude(async (change) => {
      await checkStillOpen(change, id)
      await checkMailedLately(change, { kind: 'invitation', to: [to] }, invitationsToOne)
      const expiresAt = expires_at === null ? null : change.now + (expires_at - created_at)
      const times = { created_at: change.now, expires_at: expiresAt }
      await change.update('invitation', { id, key_hash: hashKey(key), ...times })
      await queueMail(change, invitationMail(change.state, site, from, { to, key, expiresAt }))
      return {}
    })
  },
})
