import { z } from 'zod'
import { query } from '../../../http/endpoint.ts'
import { requirePossibleInviter } from '../kernel/invitations/access.ts'
import { invitationSchema, invitationsFor, invitationView } from '../kernel/invitations/invitations.ts'

export const getInvites = query('GET /invites', {
  summary: "List pending invitations, all of them for administrators and the caller's own for others",
  access: requirePossibleInviter,
  params: {},
  returns: { invites: z.array(invitationSchema) },
  async handle({ realm, me, read, site }) {
    const invitations = await invitationsFor(read, realm, me, site.clock())
    return { invites: invitations.map((one) => invitationView(realm, site, one)) }
  },
})
