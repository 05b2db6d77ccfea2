import { command } from '../../http/endpoint.ts'
import { pathInteger } from '../../http/params.ts'
import { checkStillOpen, invitationLink, inviter } from './access.ts'
import { tellOfInvitations } from './invitations.ts'

export const revokeInviteLink = command('DELETE /invites/multiuse/{invite_id}', {
  summary: 'Withdraw a reusable invitation link',
  access: inviter,
  params: { invite_id: pathInteger() },
  returns: {},
  async handle({ realm, me, params, read, commit }) {
    const { id, inviter_id } = await invitationLink(read, realm, me, params.invite_id)
    await commit(async (change) => {
      await checkStillOpen(change, id)
      await change.update('invitation', { id, ended_at: change.now })
      tellOfInvitations(change, inviter_id)
    })
    return {}
  },
})
