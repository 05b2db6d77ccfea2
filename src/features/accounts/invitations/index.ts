import { invitesChangedEvent } from '../kernel/invitations/invites_changed.event.ts'
import { createInviteLink } from './create-invite-link.ts'
import { getInvites } from './get-invites.ts'
import { resendEmailInvite } from './resend-email-invite.ts'
import { revokeEmailInvite } from './revoke-email-invite.ts'
import { revokeInviteLink } from './revoke-invite-link.ts'
import { sendInvites } from './send-invites.ts'

export const endpoints = [
  getInvites,
  sendInvites,
  createInviteLink,
  revokeInviteLink,
  revokeEmailInvite,
  resendEmailInvite,
]

export const eventTypes = [invitesChangedEvent]

export { consequences } from './consequences.ts'
