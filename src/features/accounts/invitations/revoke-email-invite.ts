import { command } from '../../../http/endpoint.ts'
import { pathInteger } from '../../../http/params.ts'
import { inviter, mailedInvitation } from '../kernel/invitations/access.ts'
import { revokeInvitation } from '../kernel/invitations/invitations.ts'

export const revokeEmailInvite = command('DELETE /invites/{invite_id}', {
  summary: 'Revoke an email invitation',
  access: inviter,
  params: { invite_id: pathInteger() },
  returns: {},
  async handle({ realm, me, params, read, commit }) {
    const invitation = await mailedInvitation(read, realm, me, params.invite_id)
    await commit((change) => revokeInvitation(change, invitation))
    return {}
  },
})
