import { z } from 'zod'
import { requireUser } from '../../../http/access.ts'
import { query } from '../../../http/endpoint.ts'
import { pathInteger } from '../../../http/params.ts'
import { badRequest } from '../../../lib/api-error.ts'
import { userSetting } from '../../kernel/users/settings.ts'
import { wireEmojiKinds } from '../../organization/emoji/find-emoji.ts'
import { userById } from '../kernel/users/access.ts'
import { statusView } from './status.ts'

export const getUserStatus = query('GET /users/{user_id}/status', {
  summary: "Get a user's status",
  since: 262,
  access: requireUser,
  params: { user_id: pathInteger() },
  returns: {
    status: z.object({
      away: z.boolean().optional(),
      status_text: z.string().optional(),
      emoji_name: z.string().optional(),
      emoji_code: z.string().optional(),
      reaction_type: z.enum(wireEmojiKinds).optional(),
    }),
  },
  async handle({ realm, me, params }) {
    const whose = userById(realm, me, params.user_id)
    if (whose.bot_type !== null) throw badRequest('No such user')
    const isAway = !userSetting(whose, 'presence_enabled') // until level 148
    return { status: { ...(isAway && { away: true }), ...statusView(realm.statuses.get(whose.id)) } }
  },
})
