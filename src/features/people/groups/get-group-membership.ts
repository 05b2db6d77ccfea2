import { z } from 'zod'
import { requireHumanMember } from '../../../http/access.ts'
import { query } from '../../../http/endpoint.ts'
import { boolean, pathInteger } from '../../../http/params.ts'
import { isInGroup } from '../../kernel/groups/access.ts'
import { userById } from '../kernel/users/access.ts'
import { groupById } from './group-access.ts'
import { groupView } from './group-view.ts'

export const getGroupMembership = query('GET /user_groups/{user_group_id}/members/{user_id}', {
  summary: 'Check whether a user is a member of a user group',
  since: 127,
  access: requireHumanMember,
  params: {
    user_group_id: pathInteger(),
    user_id: pathInteger(),
    direct_member_only: boolean().default(false),
  },
  returns: { is_user_group_member: z.boolean() },
  async handle({ realm, me, params }) {
    const group = groupById(realm, params.user_group_id)
    const user = userById(realm, me, params.user_id)
    const isMember = params.direct_member_only
      ? groupView(realm, group).members.includes(user.id)
      : user.is_active && isInGroup(realm, user, group.id)
    return { is_user_group_member: isMember }
  },
})
