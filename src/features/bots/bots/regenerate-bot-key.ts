import { z } from 'zod'
import { command } from '../../../http/endpoint.ts'
import { pathInteger } from '../../../http/params.ts'
import { ownBot, requirePossibleBotOwner } from '../../kernel/bots/access.ts'
import { replaceApiKeys } from '../kernel/login/api-keys.ts'

export const regenerateBotKey = command('POST /bots/{bot_id}/api_key/regenerate', {
  summary: "Replace a bot's API key; the old key stops working immediately",
  access: requirePossibleBotOwner,
  params: { bot_id: pathInteger() },
  returns: { api_key: z.string() },
  async handle({ realm, site, me, params, commit }) {
    ownBot(realm, me, params.bot_id)
    const api_key = await commit(async (change) => {
      const { state } = change
      const bot = ownBot(state, state.users.require(me.id), params.bot_id)
      return replaceApiKeys(change, bot.id, 'bot', site.secrets)
    })
    return { api_key }
  },
})
