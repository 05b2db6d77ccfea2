import type { AccountRow } from '../../../db/schema.ts'
import { requireMember } from '../../../http/access.ts'
import { command } from '../../../http/endpoint.ts'
import { pathInteger } from '../../../http/params.ts'
import { ApiError, badRequest } from '../../../lib/api-error.ts'
import type { RealmState } from '../../../log/realm-state.ts'
import { groupToManage } from './group-access.ts'
import { usesOfGroup } from './group-uses.ts'
import { groupRemoved, groupUpdated, ifKnowsDeactivated } from './user_group.event.ts'

export const deactivateGroup = command('POST /user_groups/{user_group_id}/deactivate', {
  summary: 'Deactivate a user group that is not in use',
  since: 290,
  access: requireMember,
  params: { user_group_id: pathInteger() },
  returns: {},
  async handle({ realm, me, params, commit }) {
    groupToDeactivate(realm, me, params.user_group_id) // checks what it can before the change begins
    await commit(async (change) => {
      const { id } = groupToDeactivate(change.state, me, params.user_group_id)
      await change.update('user_group', { id, is_deactivated: true })
      change.emit(ifKnowsDeactivated(groupUpdated(id, { deactivated: true }), true), { everyone: true })
      change.emit(ifKnowsDeactivated(groupRemoved(id), false), { everyone: true })
    })
    return {}
  },
})

function groupToDeactivate(realm: RealmState, me: AccountRow, id: number) {
  const group = groupToManage(realm, me, id)
  if (group.is_deactivated) throw badRequest('User group is deactivated.')
  const objections = usesOfGroup(realm, me, group)
  if (objections.length === 0) return group
  throw new ApiError('Cannot deactivate user group in use.', 'CANNOT_DEACTIVATE_GROUP_IN_USE', 400, {
    objections,
  })
}
