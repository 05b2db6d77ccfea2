import { sql } from 'kysely'
import { z } from 'zod'
import { command } from '../../../http/endpoint.ts'
import { badRequest } from '../../../lib/api-error.ts'
import { hashKey } from '../../../lib/secrets/hash-key.ts'
import type { Change } from '../../../log/change.ts'
import { newLinkKey, sealLinkKey } from '../../kernel/invitations/keys.ts'
import { checkMayInvite, requirePossibleInviter } from '../kernel/invitations/access.ts'
import {
  emitInvitationsChanged,
  forgetOldInvitations,
  isOpen,
  joinUrl,
} from '../kernel/invitations/invitations.ts'
import { invitationLimits } from '../kernel/invitations/limits.ts'
import { expiryOf, termsOf, termsParams } from './terms.ts'

const permission = 'create_multiuse_invite_group'

export const createInviteLink = command('POST /invites/multiuse', {
  summary: 'Create a reusable invitation link',
  creates: true,
  access: requirePossibleInviter,
  params: { ...termsParams, stream_ids: termsParams.stream_ids.default([]) },
  returns: { invite_link: z.string() },
  async handle({ realm, me, site, params, conclude }) {
    checkMayInvite(realm, me, permission, params.invite_as)
    const terms = termsOf(realm, me, params)
    const key = newLinkKey()
    const key_hash = hashKey(key)
    const sealed = sealLinkKey(site.secrets, { realm_id: realm.id, key_hash }, key)
    return conclude(
      async (change) => {
        checkMayInvite(change.state, change.state.users.require(me.id), permission, terms.role)
        await checkIsRoom(change)
        await forgetOldInvitations(change)
        await change.insert('invitation', {
          inviter_id: me.id,
          ...terms,
          notifies_inviter: false,
          key_hash,
          sealed,
          created_at: change.now,
          expires_at: expiryOf(params.invite_expires_in_minutes, change.now),
        })
        emitInvitationsChanged(change, me.id)
        return { invite_link: joinUrl(realm, site, key) }
      },
      { isSecret: true },
    )
  },
})

async function checkIsRoom(change: Change) {
  const links = await change.run(sql`
    SELECT 1 FROM invitation WHERE realm_id = ${change.state.id} AND email IS NULL AND ${isOpen(change.now)}`)
  if (links.length >= invitationLimits.inviteLinks) throw badRequest('There are too many invitation links.')
}
