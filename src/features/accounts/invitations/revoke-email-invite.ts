import { command } from '../../../http/endpoint.ts'
import { pathInteger } from '../../../http/params.ts'
import { mailedInvitation, requirePossibleInviter } from '../kernel/invitations/access.ts'
import { revokeInvitation } from '../kernel/invitations/invitations.ts'

export const revokeEmailInvite = command('DELETE /invites/{invite_id}', {
  summary: 'Revoke an email invitation',
  access: requirePossibleInviter,
  params: { invite_id: pathInteger() },
  returns: {},
  async handle({ realm, me, params, read, commit }) {
    const invitation = await mailedInvitation(read, realm, me, params.invite_id)
    await commit((change) => revokeInvitation(change, invitation))
    return {}
  },
})
