import { requireMember } from '../../../http/access.ts'
import { command } from '../../../http/endpoint.ts'
import { integers, pathInteger } from '../../../http/params.ts'
import { badRequest } from '../../../lib/api-error.ts'
import { changeMembership } from './change-membership.ts'

export const updateGroupSubgroups = command('POST /user_groups/{user_group_id}/subgroups', {
  summary: 'Add or remove subgroups of a user group',
  since: 127,
  access: requireMember,
  params: {
    user_group_id: pathInteger(),
    delete: integers().default([]),
    add: integers().default([]),
  },
  returns: {},
  async handle(context) {
    const { params } = context
    const changes = { add: [], remove: [], addSubgroups: params.add, removeSubgroups: params.delete }
    if (params.add.length === 0 && params.delete.length === 0) {
      throw badRequest('Nothing to do. Specify at least one of "add" or "delete".')
    }
    await changeMembership(context, params.user_group_id, changes)
    return {}
  },
})
