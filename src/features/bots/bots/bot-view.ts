import type { AccountRow } from '../../../db/schema.ts'
import { isAdministrator } from '../../../http/access.ts'
import type { Site } from '../../../lib/site.ts'
import type { RealmState } from '../../../log/realm-state.ts'
import { allBots } from '../../kernel/users/bots.ts'
import { apiEmail, avatarUrl } from '../../kernel/users/user-view.ts'
import { administratorIds } from '../../people/kernel/users/administrators.ts'
import { servicesView } from '../kernel/bots/bot-service.ts'
import { visibleKey } from './bot-key.ts'

/** Returns the defaults of a bot. Channels are given by name, as on the wire. */
export function defaultsView(realm: RealmState, bot: AccountRow) {
  const nameOf = (id: number | null) => (id === null ? null : (realm.channels.get(id)?.name ?? null))
  return {
    default_sending_stream: nameOf(bot.default_sending_channel_id),
    default_events_register_stream: nameOf(bot.default_events_channel_id),
    default_all_public_streams: bot.default_all_public_channels,
  }
}

/**
 * Returns the bot object of events, which stay in the log. The key is added for each recipient. See realm_bot.event.ts.
 */
export function botView(realm: RealmState, site: Site, bot: AccountRow) {
  return {
    email: apiEmail(realm, site, bot),
    user_id: bot.id,
    full_name: bot.full_name,
    bot_type: bot.bot_type,
    is_active: bot.is_active,
    api_key: '',
    ...defaultsView(realm, bot),
    avatar_url: botAvatar(realm, site, bot),
    services: servicesView(realm, bot) as object[],
    owner_id: bot.bot_owner_id,
  }
}

export type BotView = ReturnType<typeof botView>

/** Returns the bot object of realm_bots for a user. */
export function botViewFor(realm: RealmState, site: Site, me: AccountRow, bot: AccountRow): BotView {
  return { ...botView(realm, site, bot), api_key: visibleKey(realm, site, me, bot.id) }
}

export function botAvatar(realm: RealmState, site: Site, bot: AccountRow) {
  return avatarUrl(realm, site, bot, { clientComputes: false, viewer: bot })
}

/** Returns the bots of realm_bots, active or not: all bots for an administrator, their own for other users. */
export function botsFor(realm: RealmState, me: AccountRow): AccountRow[] {
  const bots = allBots(realm).filter((bot) => !bot.is_system_bot)
  return isAdministrator(me) ? bots : bots.filter((bot) => bot.bot_owner_id === me.id)
}

/** Returns the users who receive a bot's events: its owner and the administrators. */
export function botAudience(realm: RealmState, bot: AccountRow): { users: number[] } {
  const owner = bot.bot_owner_id === null ? [] : [bot.bot_owner_id]
  return { users: [...new Set([...administratorIds(realm), ...owner])] }
}
