import type { EventType } from '../../../queues/event-type.ts'
import { seesKey, visibleKey } from './bot-key.ts'
import type { BotView } from './bot-view.ts'
import { applyRealmBot } from './realm_bot.apply.ts'

type Changes = Partial<Omit<BotView, 'user_id'>>

type Add = { type: 'realm_bot'; op: 'add'; bot: BotView }

type Update = { type: 'realm_bot'; op: 'update'; bot: { user_id: number } & Changes }

type Delete = { type: 'realm_bot'; op: 'delete'; bot: { user_id: number } }

type RealmBotEvent = Add | Update | Delete

// In the log, `api_key` is empty and marks that a key is to be added. Clients that fetch the event late receive the
// current key if they may still have it.

export function botAdded(bot: BotView): Add {
  return { type: 'realm_bot', op: 'add', bot: { ...bot, api_key: '' } }
}

export function botUpdated(userId: number, changes: Changes): Update {
  return { type: 'realm_bot', op: 'update', bot: { user_id: userId, ...changes } }
}

/** The bot now belongs to another user. */
export function botLeft(userId: number): Delete {
  return { type: 'realm_bot', op: 'delete', bot: { user_id: userId } }
}

declare module '../../../log/entry.ts' {
  interface Events {
    realm_bot: RealmBotEvent
  }
}

export const realmBotEvent = {
  type: 'realm_bot',

  variant({ bot }, { state, me }) {
    return 'api_key' in bot && seesKey(state, me, bot.user_id) ? 'with key' : ''
  },

  wire({ type, op, bot }, { state, site, me }) {
    if (!('api_key' in bot)) return { type, op, bot }
    return { type, op, bot: { ...bot, api_key: visibleKey(state, site, me, bot.user_id) } }
  },

  apply: applyRealmBot,
} satisfies EventType<RealmBotEvent>
