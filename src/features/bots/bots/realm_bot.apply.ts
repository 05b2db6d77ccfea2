import type { ClientState } from '../../../queues/client-state.ts'

type Bot = { user_id: number }
type BotEvent = { op: 'add' | 'update' | 'delete'; bot: Bot }

export function applyRealmBot(state: ClientState, { op, bot }: BotEvent) {
  if (!state.realm_bots) return
  const others = state.realm_bots.filter((one: Bot) => one.user_id !== bot.user_id)
  if (op === 'add') state.realm_bots = [...others, bot]
  if (op === 'delete') state.realm_bots = others
  if (op !== 'update') return
  const known = state.realm_bots.find((one: Bot) => one.user_id === bot.user_id)
  if (known) Object.assign(known, bot)
}
