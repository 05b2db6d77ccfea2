import { roles } from '../../../db/roles.ts'
import type { AccountRow } from '../../../db/schema.ts'
import { isAdministrator } from '../../../http/access.ts'
import type { Site } from '../../../lib/site.ts'
import type { RealmState } from '../../../log/realm-state.ts'
import { openApiKey } from '../kernel/login/sealed-key.ts'

/**
 * Returns the newest API key of a bot that this server can decrypt, as `me` may see it. Returns an empty text if `me`
 * may not have it, or if no key can be decrypted: keys from before keys were sealed, or sealed with another secret.
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

/**
 * Returns whether the user may have a bot's key: its current owner and administrators may, unless the bot has a higher
 * role.
 */
export function seesKey(realm: RealmState, me: AccountRow, botId: number): boolean {
  const bot = realm.users.get(botId)
  if (!bot || bot.bot_type === null) return false
  if (bot.bot_owner_id === me.id) return true
  // Otherwise an administrator could become an owner through a bot with the role of an owner.
  return isAdministrator(me) && (bot.role !== roles.owner || me.role === roles.owner)
}
