import { command } from '../../../http/endpoint.ts'
import { pathInteger } from '../../../http/params.ts'
import { invitationLink, requirePossibleInviter } from '../kernel/invitations/access.ts'
import { revokeInvitation } from '../kernel/invitations/invitations.ts'

export const revokeInviteLink = command('DELETE /invites/multiuse/{invite_id}', {
  summary: 'Revoke a reusable invitation link',
  access: requirePossibleInviter,
  params: { invite_id: pathInteger() },
  returns: {},
  async handle({ realm, me, params, read, commit }) {
    const invitation = await invitationLink(read, realm, me, params.invite_id)
    await commit((change) => revokeInvitation(change, invitation))
    return {}
  },
})
