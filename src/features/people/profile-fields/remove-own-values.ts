import { requireHuman } from '../../../http/access.ts'
import { command } from '../../../http/endpoint.ts'
import { integers } from '../../../http/params.ts'
import { changeableField, setValues } from '../kernel/profile-fields/values.ts'

export const removeOwnProfileData = command('DELETE /users/me/profile_data', {
  summary: "Remove the current user's profile field values",
  access: requireHuman,
  params: { data: integers() },
  returns: {},
  async handle({ realm, me, params, commit }) {
    for (const id of params.data) changeableField(realm, me, id)
    await commit((change) => {
      const { state } = change
      for (const id of params.data) changeableField(state, state.users.require(me.id), id)
      return setValues(change, me.id, new Map(params.data.map((id) => [id, null])))
    })
    return {}
  },
})
