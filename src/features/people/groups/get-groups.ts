import { z } from 'zod'
import { requireHumanMember } from '../../../http/access.ts'
import { query } from '../../../http/endpoint.ts'
import { boolean } from '../../../http/params.ts'
import { groupSchema } from './group-schema.ts'
import { groupsForRegister } from './group-view.ts'

export const getGroups = query('GET /user_groups', {
  summary: "List the organization's user groups",
  access: requireHumanMember,
  params: { include_deactivated_groups: boolean().default(false) }, // level 290
  returns: { user_groups: z.array(groupSchema) },
  async handle({ realm, params }) {
    return {
      user_groups: groupsForRegister(realm, { includeDeactivated: params.include_deactivated_groups }),
    }
  },
})
