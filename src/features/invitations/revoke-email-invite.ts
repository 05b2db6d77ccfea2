import { command } from '../../http/endpoint.ts'
import { pathInteger } from '../../http/params.ts'
import { checkStillOpen, inviter, mailedInvitation } from './access.ts'
import { tellOfInvitations } from './invitations.ts'

export const revokeEmailInvite = command('DELETE /invites/{invite_id}', {
  summary: 'Withdraw an e-mail invitation',
  access: inviter,
  params: { invite_id: pathInteger() },
  returns: {},
  async handle({ realm, me, params, read, commit }) {
    const { id, inviter_id } = await mailedInvitation(read, realm, me, params.invite_id)
    await commit(async (change) => {
      await checkStillOpen(change, id)
      await change.update('invitation', { id, ended_at: change.now })
      tellOfInvitations(change, inviter_id)
    })
    return {}
  },
})
