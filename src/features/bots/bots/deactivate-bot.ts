import { requireUser } from '../../../http/access.ts'
import { command } from '../../../http/endpoint.ts'
import { pathInteger } from '../../../http/params.ts'
import { ownBot } from '../../kernel/bots/access.ts'
import { deactivate } from '../../kernel/users/deactivation.ts'

export const deactivateBot = command('DELETE /bots/{bot_id}', {
  summary: 'Deactivate a bot',
  access: requireUser,
  params: { bot_id: pathInteger() },
  returns: {},
  async handle({ realm, me, params, commit }) {
    ownBot(realm, me, params.bot_id)
    await commit(async (change) => {
      const { state } = change
      const bot = ownBot(state, state.users.require(me.id), params.bot_id)
      if (bot.is_active) await deactivate(change, bot)
    })
    return {}
  },
})
