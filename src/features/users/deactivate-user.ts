import type { AccountRow } from '../../db/schema.ts'
import { roles, user } from '../../http/access.ts'
import { command } from '../../http/endpoint.ts'
import { pathInteger } from '../../http/params.ts'
import { badRequest } from '../../lib/api-error.ts'
import type { RealmState } from '../../log/realm-state.ts'
import { administered, userById } from './access.ts'
import { isLastOwner } from './change-user.ts'
import { checkOwnerRights, deactivate } from './deactivation.ts'

export const deactivateUser = command('DELETE /users/{user_id}', {
  summary: "Deactivate somebody's account",
  access: user,
  params: { user_id: pathInteger() },
  returns: {},
  async handle({ realm, me, params, commit }) {
    deactivatable(realm, me, params.user_id)
    await commit((change) => {
      const { state } = change
      return deactivate(change, deactivatable(state, state.users.get(me.id)!, params.user_id))
    })
    return {}
  },
})

function deactivatable(realm: RealmState, me: AccountRow, id: number): AccountRow {
  const target = userById(realm, me, id)
  if (target.bot_type !== null) throw badRequest('No such user')
  if (!target.is_active) throw badRequest('User is deactivated')
  administered(me, target)
  checkOwnerRights(me, target)
  if (target.role === roles.owner && isLastOwner(realm, target)) {
    throw badRequest('Cannot deactivate the only organization owner')
  }
  return target
}
