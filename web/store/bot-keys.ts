import { get } from '../api/client.ts'
import { currentState, learnField } from './server-state.ts'

type Keys = { bots: { username: string; api_key: string }[] }

/** Reads the keys of the user's own bots, which the state of the last visit lacks. */
export async function readBotKeys() {
  const { user_id: own, realm_bots: bots = [] } = currentState()
  if (!bots.some((bot) => bot.owner_id === own && bot.is_active && bot.api_key === undefined)) return
  const keys = new Map((await get<Keys>('/bots')).bots.map((bot) => [bot.username, bot.api_key]))
  const { realm_bots: now = [] } = currentState()
  learnField(
    'realm_bots',
    now.map((bot) => ({ ...bot, api_key: bot.api_key ?? keys.get(bot.email) ?? '' })),
  )
}
