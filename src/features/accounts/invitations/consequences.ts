import type { Consequence } from '../../../log/consequences.ts'
import {
  endInvitationsTo,
  revokeInvitationsBeyond,
  revokeInvitationsOf,
} from '../kernel/invitations/invitations.ts'

/** Invitations end when their inviter loses the right to create them, and when the invited user joins in any way. */
export const consequences: Consequence[] = [
  {
    of: ['account'],
    async write({ change, rows }) {
      for (const { before, after } of rows('account')) {
        if (!after || after.bot_type !== null) continue
        if (!before) await endInvitationsTo(change, after.delivery_email)
        else if (before.is_active && !after.is_active) await revokeInvitationsOf(change, after.id)
        else if (before.role !== after.role) await revokeInvitationsBeyond(change, after)
      }
    },
  },
]
