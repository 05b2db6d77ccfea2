import { requireAdministrator } from '../../../http/access.ts'
import { command } from '../../../http/endpoint.ts'
import { pathInteger } from '../../../http/params.ts'
import { inSteps } from '../../../log/steps.ts'
import { fieldById } from '../kernel/profile-fields/field-rules.ts'
import { profileFieldLimits } from '../kernel/profile-fields/limits.ts'
import { removeValues, usersWithValues } from '../kernel/profile-fields/values.ts'

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
    })
    // Nobody sees values of a field that is not there. A deletion that ended early may have left some, too.
    const isGone = (id: number) => !realm.profileFields.get(id)
    const users = usersWithValues(realm, isGone)
    await inSteps(commit, users, profileFieldLimits.valuesPerStep, (change, some) =>
      removeValues(change, some, isGone),
    )
    return {}
  },
})
