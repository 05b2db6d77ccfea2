import { z } from 'zod'
import { requireHumanMember } from '../../../http/access.ts'
import { query } from '../../../http/endpoint.ts'
import { boolean, pathInteger } from '../../../http/params.ts'
import { groupById } from './group-access.ts'
import { allMembers } from './group-graph.ts'
import { groupView } from './group-view.ts'

export const getGroupMembers = query('GET /user_groups/{user_group_id}/members', {
  summary: 'List the members of a user group, subgroups included',
  since: 127,
  access: requireHumanMember,
  params: { user_group_id: pathInteger(), direct_member_only: boolean().default(false) },
  returns: { members: z.array(z.int()) },
  async handle({ realm, params }) {
    const group = groupById(realm, params.user_group_id)
    return { members: params.direct_member_only ? groupView(realm, group).members : allMembers(realm, group) }
  },
})
