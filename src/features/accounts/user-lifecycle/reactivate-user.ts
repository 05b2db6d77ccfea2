import type { AccountRow } from '../../../db/schema.ts'
import { requireUser } from '../../../http/access.ts'
import { command } from '../../../http/endpoint.ts'
import { pathInteger } from '../../../http/params.ts'
import type { RealmState } from '../../../log/realm-state.ts'
import { prepareSubscribers } from '../../channels/kernel/subscriptions/subscribers.ts'
import { checkMayCreate } from '../../kernel/bots/access.ts'
import { checkOwnerRights, reactivate } from '../../kernel/users/deactivation.ts'
import { userById, userToAdminister } from '../../people/kernel/users/access.ts'
import { checkBotNameIsFree } from '../../people/kernel/users/names.ts'

export const reactivateUser = command('POST /users/{user_id}/reactivate', {
  summary: 'Reactivate a user',
  access: requireUser,
  params: { user_id: pathInteger() },
  returns: {},
  async handle({ realm, me, params, commit }) {
    reactivatable(realm, me, params.user_id)
    await prepareSubscribers(realm, params.user_id)
    await commit(async (change) => {
      const { state } = change
      const target = reactivatable(state, state.users.require(me.id), params.user_id)
      if (!target.is_active) await reactivate(change, target, hasLostOwner(state, target) ? me.id : undefined)
    })
    return {}
  },
})

/** Returns whether the owner of a bot is deactivated. The user who reactivates the bot then becomes its owner. */
function hasLostOwner(realm: RealmState, { bot_owner_id: owner }: AccountRow): boolean {
  return owner !== null && !realm.users.require(owner).is_active
}

/** Returns the user to reactivate. A bot requires the permission to create one. */
function reactivatable(realm: RealmState, me: AccountRow, id: number): AccountRow {
  const target = userToAdminister(me, userById(realm, me, id))
  if (target.bot_type !== null && !target.is_active) {
    checkMayCreate(realm, me, target.bot_type)
    checkBotNameIsFree(realm, target.full_name)
    // Otherwise an administrator could gain an owner's rights through the bot.
    if (hasLostOwner(realm, target)) checkOwnerRights(me, target)
  }
  return target
}
