import { z } from 'zod'
import { requireUser } from '../../../http/access.ts'
import { query } from '../../../http/endpoint.ts'
import { fieldViews } from '../../kernel/profile-fields/field-view.ts'

export const getProfileFields = query('GET /realm/profile_fields', {
  summary: 'List custom profile fields',
  access: requireUser,
  params: {},
  returns: {
    custom_fields: z.array(
      z.object({
        id: z.int(),
        name: z.string(),
        type: z.int(),
        hint: z.string(),
        field_data: z.string(),
        order: z.int(),
        required: z.boolean(),
        editable_by_user: z.boolean(),
        display_in_profile_summary: z.boolean().optional(),
      }),
    ),
  },
  async handle({ realm }) {
    return { custom_fields: fieldViews(realm.profileFields.values()) }
  },
})
