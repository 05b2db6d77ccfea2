import { z } from 'zod'
import { requireAdministrator } from '../../../http/access.ts'
import { command } from '../../../http/endpoint.ts'
import { integer } from '../../../http/params.ts'
import { checkField, type FieldColumns, fieldParams, ownNames } from '../kernel/profile-fields/field-rules.ts'
import { fieldType } from '../kernel/profile-fields/field-types.ts'

export const createProfileField = command('POST /realm/profile_fields', {
  summary: 'Create a custom profile field',
  creates: true,
  access: requireAdministrator,
  params: {
    name: fieldParams.name.optional(),
    hint: fieldParams.hint.default(''),
    field_data: fieldParams.field_data.default({}),
    field_type: integer().documentedAs({ enum: Object.values(fieldType) }),
    display_in_profile_summary: fieldParams.display_in_profile_summary.default(false), // level 146
    required: fieldParams.required.default(false), // level 244
    editable_by_user: fieldParams.editable_by_user.default(true), // level 296
  },
  returns: { id: z.int() },
  async handle({ realm, params, conclude }) {
    const { name = '', field_data: data, ...rest } = params
    const isAccount = params.field_type === fieldType.externalAccount
    const named = isAccount ? ownNames(data) : {}
    const hasData = Object.keys(data).length > 0
    const field: FieldColumns = { name, ...rest, ...named, field_data: hasData ? JSON.stringify(data) : '' }
    checkField(realm, field, data)
    return conclude(async (change) => {
      checkField(change.state, field, data)
      const { id } = await change.insert('profile_field', { ...field, place: 0 })
      const row = await change.update('profile_field', { id, place: id })
      return { id: row.id }
    })
  },
})
