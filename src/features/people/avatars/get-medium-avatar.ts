import { requireUser } from '../../../http/access.ts'
import { query } from '../../../http/endpoint.ts'
import { pathText } from '../../../http/params.ts'
import { RedirectAnswer } from '../../../http/responses/answer-kinds.ts'
import { spectatorOf } from '../../kernel/channels/web-public.ts'
import { findAvatar } from './find-avatar.ts'

export const getMediumAvatar = query('GET /avatar/{email_or_id}/medium', {
  summary: "Redirect to a user's avatar in medium size",
  root: true,
  // A list of people has hundreds of them.
  unlimited: true,
  access: requireUser,
  spectator: spectatorOf,
  params: { email_or_id: pathText() },
  returns: {},
  async handle({ realm, me, site, params }) {
    return new RedirectAnswer(findAvatar(realm, site, me, params.email_or_id, true), { status: 302 })
  },
})
