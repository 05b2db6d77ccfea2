import { requireHuman } from '../../../http/access.ts'
import { command } from '../../../http/endpoint.ts'
import { checkedValues, checkValues, setValues, valuesParam } from '../kernel/profile-fields/values.ts'

export const setOwnProfileData = command('PATCH /users/me/profile_data', {
  summary: "Set the current user's profile field values",
  access: requireHuman,
  params: { data: valuesParam() },
  returns: {},
  async handle({ realm, me, params, commit }) {
    const values = checkedValues(realm, me, params.data)
    await commit((change) => {
      checkValues(change.state, change.state.users.require(me.id), params.data)
      return setValues(change, me.id, values)
    })
    return {}
  },
})
