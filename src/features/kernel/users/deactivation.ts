import { roles } from '../../../db/roles.ts'
import type { AccountRow } from '../../../db/schema.ts'
import { unauthorizedPrincipal } from '../../../http/access.ts'
import type { Change } from '../../../log/change.ts'
import type { RealmState } from '../../../log/realm-state.ts'
import { allBots } from './bots.ts'

/** Throws if the user is an owner and the current user is not. */
export function checkOwnerRights(me: AccountRow, user: AccountRow) {
  if (user.role === roles.owner && me.role !== roles.owner) {
    throw unauthorizedPrincipal('Must be an organization owner')
  }
}

/**
 * Deactivates a user and the bots they own. They keep subscriptions and groups, but hold no permission, cannot log in
 * and are not counted anywhere. Features declare in their consequences what else must end. The caller checks that this
 * is allowed.
 */
export async function deactivate(change: Change, user: AccountRow) {
  const users = [user, ...ownBots(change.state, user)]
  await change.updateAll(
    'account',
    users.map(({ id }) => ({ id, is_active: false })),
  )
}

/**
 * Reactivates a user with everything they had except their API keys. Their bots stay as they are; a reactivated bot
 * keeps its key, unless it gets another owner. `newOwner`: the user who owns the bot from now on.
 */
export async function reactivate(change: Change, user: AccountRow, newOwner?: number) {
  const owner = newOwner === undefined ? {} : { bot_owner_id: newOwner }
  await change.update('account', { id: user.id, is_active: true, ...owner })
}

function ownBots(realm: RealmState, user: AccountRow): AccountRow[] {
  return allBots(realm).filter((bot) => bot.bot_owner_id === user.id && bot.is_active)
}
