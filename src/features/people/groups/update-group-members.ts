import { requireMember } from '../../../http/access.ts'
import { command } from '../../../http/endpoint.ts'
import { integers, pathInteger } from '../../../http/params.ts'
import { badRequest } from '../../../lib/api-error.ts'
import { changeMembership } from './change-membership.ts'

export const updateGroupMembers = command('POST /user_groups/{user_group_id}/members', {
  summary: 'Add or remove members and subgroups of a user group',
  access: requireMember,
  params: {
    user_group_id: pathInteger(),
    delete: integers().default([]),
    add: integers().default([]),
    delete_subgroups: integers().default([]), // level 311
    add_subgroups: integers().default([]), // level 311
  },
  returns: {},
  async handle(context) {
    const { params } = context
    const changes = {
      add: params.add,
      remove: params.delete,
      addSubgroups: params.add_subgroups,
      removeSubgroups: params.delete_subgroups,
    }
    if (Object.values(changes).every((ids) => ids.length === 0)) {
      throw badRequest(
        'Nothing to do. Specify at least one of "add", "delete", "add_subgroups" or "delete_subgroups".',
      )
    }
    await changeMembership(context, params.user_group_id, changes)
    return {}
  },
})
