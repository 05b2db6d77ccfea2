import { z } from 'zod'
import { groupPermissions } from '../../kernel/groups/permission-settings.ts'
import { groupSettingSchemas } from '../../kernel/groups/setting-value.ts'

/** A user group in responses. */
export const groupSchema = z.object({
  id: z.int(),
  name: z.string(),
  description: z.string(),
  creator_id: z.int().nullable(),
  date_created: z.int().nullable(),
  is_system_group: z.boolean(),
  members: z.array(z.int()),
  direct_subgroup_ids: z.array(z.int()),
  deactivated: z.boolean(),
  ...groupSettingSchemas(groupPermissions),
})
