import type { AccountRow } from '../../../db/schema.ts'
import { isAdministrator, roles } from '../../../http/access.ts'
import type { Site } from '../../../lib/site.ts'
import type { RealmState } from '../../../log/realm-state.ts'
import { openApiKey } from '../kernel/login/sealed-key.ts'

/**
 * The API key of a bot, the newest that this server can open, as `me` gets to see it. Empty for whoever may not have it,
 * and if there is none to open: it is of before keys were sealed, or was sealed with another secret.
 */
export function visibleKey(realm: RealmState, site: Site, me: AccountRow, botId: number): string {
  if (!seesKey(realm, me, botId)) return ''
  const keys = [...realm.apiKeysOfUser(botId)].sort((a, b) => b.id - a.id)
  for (const key of keys) {
    const opened = openApiKey(site.secrets, key)
    if (opened !== undefined) return opened
  }
  return ''
}

/** Whether somebody may have a bot's key: its owner now, and administrators but for what is above them. */
export function seesKey(realm: RealmState, me: AccountRow, botId: number): boolean {
  const bot = realm.users.get(botId)
  if (!bot || bot.bot_type === null) return false
  if (bot.bot_owner_id === me.id) return true
  // Or else an administrator could become an owner by way of an owner's bot.
  return isAdministrator(me) && (bot.role !== roles.owner || me.role === roles.owner)
}
