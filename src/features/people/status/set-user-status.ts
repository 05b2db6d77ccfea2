import type { AccountRow } from '../../../db/schema.ts'
import { requireHuman } from '../../../http/access.ts'
import { command } from '../../../http/endpoint.ts'
import { pathInteger } from '../../../http/params.ts'
import { badRequest } from '../../../lib/api-error.ts'
import type { RealmState } from '../../../log/realm-state.ts'
import { userById, userToAdminister } from '../kernel/users/access.ts'
import { setStatus, statusParams, statusParts } from './status.ts'

export const setUserStatus = command('POST /users/{user_id}/status', {
  summary: "Set another user's status as an administrator",
  since: 407,
  access: requireHuman,
  params: { user_id: pathInteger(), ...statusParams },
  returns: {},
  async handle({ realm, me, params, commit }) {
    changeable(realm, me, params.user_id)
    const parts = statusParts(realm, params)
    await commit((change) => {
      const { state } = change
      const target = changeable(state, state.users.require(me.id), params.user_id)
      return setStatus(change, target.id, parts)
    })
    return {}
  },
})

function changeable(realm: RealmState, me: AccountRow, id: number): AccountRow {
  const target = userById(realm, me, id)
  if (target.bot_type !== null) throw badRequest('No such user')
  if (!target.is_active) throw badRequest('User is deactivated')
  return userToAdminister(me, target)
}
