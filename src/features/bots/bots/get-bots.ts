import { z } from 'zod'
import { requireHumanMember } from '../../../http/access.ts'
import { query } from '../../../http/endpoint.ts'
import { allBots } from '../../kernel/users/bots.ts'
import { apiEmail } from '../../kernel/users/user-view.ts'
import { visibleKey } from './bot-key.ts'
import { botAvatar, defaultsView } from './bot-view.ts'
import { defaultsSchema } from './schemas.ts'

export const getBots = query('GET /bots', {
  summary: "List the caller's active bots with their API keys",
  access: requireHumanMember,
  params: {},
  returns: {
    bots: z.array(
      z.object({
        username: z.string(),
        full_name: z.string(),
        api_key: z.string(), // empty if it cannot be read again
        avatar_url: z.string().nullable(),
        ...defaultsSchema,
      }),
    ),
  },
  async handle({ realm, site, me }) {
    const own = allBots(realm).filter((one) => one.bot_owner_id === me.id && one.is_active)
    return {
      bots: own.map((bot) => ({
        username: apiEmail(realm, site, bot),
        full_name: bot.full_name,
        api_key: visibleKey(realm, site, me, bot.id),
        avatar_url: botAvatar(realm, site, bot),
        ...defaultsView(realm, bot),
      })),
    }
  },
})
