import type { ClientState, EventType } from '../../queues/event-type.ts'
import type { BotView } from './bot-view.ts'

type Changes = Partial<Omit<BotView, 'user_id'>>

type Add = { type: 'realm_bot'; op: 'add'; bot: BotView }
type Update = {
  type: 'realm_bot'
  op: 'update'
  bot: { user_id: number } & Changes
  owner_id?: number | null
}
type Delete = { type: 'realm_bot'; op: 'delete'; bot: { user_id: number } }

export type RealmBotEvent = Add | Update | Delete

/**
 * A new key, for the bot's owner. It goes beside the event and not into the log, where it would outlast the moment:
 * whoever hears of it late hears that there is a new one, but not which.
 */
export type FreshKey = { key: string }

export function botAdded(bot: BotView): Add {
  return { type: 'realm_bot', op: 'add', bot }
}

export function botUpdated(userId: number, changes: Changes): Update {
  return { type: 'realm_bot', op: 'update', bot: { user_id: userId, ...changes } }
}

/** The bot has a new key: see FreshKey. */
export function keyReplaced(userId: number, ownerId: number | null): Update {
  return { ...botUpdated(userId, { api_key: '' }), owner_id: ownerId }
}

/** The bot is another's now. */
export function botLeft(userId: number): Delete {
  return { type: 'realm_bot', op: 'delete', bot: { user_id: userId } }
}

export const realmBotEvent = {
  type: 'realm_bot',

  variant(event, { me }, { key }) {
    return key !== '' && ownerOf(event) === me.id ? 'owner' : ''
  },

  wire(event, { me }, { key }) {
    const bot = key !== '' && ownerOf(event) === me.id ? { ...event.bot, api_key: key } : event.bot
    return { type: event.type, op: event.op, bot }
  },

  async bodies(_read, _state, events) {
    return events.map(() => noKey)
  },

  apply(state: ClientState, { op, bot }: RealmBotEvent) {
    if (!state.realm_bots) return
    const others = state.realm_bots.filter((one: BotView) => one.user_id !== bot.user_id)
    // Like POST /register, a client's state holds no keys.
    if (op === 'add') state.realm_bots = [...others, { ...bot, api_key: '' }]
    if (op === 'delete') state.realm_bots = others
    if (op !== 'update') return
    const known = state.realm_bots.find((one: BotView) => one.user_id === bot.user_id)
    if (known) Object.assign(known, bot, { api_key: '' })
  },
} satisfies EventType<RealmBotEvent, FreshKey>

/** What goes beside all other events about bots. */
export const noKey: FreshKey = { key: '' }

function ownerOf(event: RealmBotEvent): number | null | undefined {
  if (event.op === 'add') return event.bot.owner_id
  return event.op === 'update' ? event.owner_id : undefined
}
