import { requireAdministrator } from '../../../http/access.ts'
import { command } from '../../../http/endpoint.ts'
import { pathInteger } from '../../../http/params.ts'
import { fieldById } from '../kernel/profile-fields/field-rules.ts'
import { removeValues } from '../kernel/profile-fields/values.ts'

export const deleteProfileField = command('DELETE /realm/profile_fields/{field_id}', {
  summary: 'Delete a custom profile field and its values',
  access: requireAdministrator,
  params: { field_id: pathInteger() },
  returns: {},
  async handle({ realm, params, commit }) {
    fieldById(realm, params.field_id)
    await commit(async (change) => {
      const { id } = fieldById(change.state, params.field_id)
      await change.deleteAll('profile_field', [{ id }])
      await removeValues(change, id, () => true)
    })
    return {}
  },
})
