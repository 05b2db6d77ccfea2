import { z } from 'zod'
import { requireHumanMember } from '../../../http/access.ts'
import { query } from '../../../http/endpoint.ts'
import { boolean, pathInteger } from '../../../http/params.ts'
import { groupById } from './group-access.ts'
import { groupsWithin } from './group-graph.ts'
import { directSubgroups } from './group-view.ts'

export const getGroupSubgroups = query('GET /user_groups/{user_group_id}/subgroups', {
  summary: 'List the subgroups of a user group, direct and nested',
  since: 127,
  access: requireHumanMember,
  params: { user_group_id: pathInteger(), direct_subgroup_only: boolean().default(false) },
  returns: { subgroups: z.array(z.int()) },
  async handle({ realm, params }) {
    const group = groupById(realm, params.user_group_id)
    if (params.direct_subgroup_only) return { subgroups: directSubgroups(realm, group) }
    const within = [...groupsWithin(realm, group.id)].filter((id) => id !== group.id)
    return { subgroups: within.sort((a, b) => a - b) }
  },
})
