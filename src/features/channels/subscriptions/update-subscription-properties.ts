import { requireUser } from '../../../http/access.ts'
import { list } from '../../../http/collections.ts'
import { command } from '../../../http/endpoint.ts'
import { json } from '../../../http/params.ts'
import { changeProperties, checkProperties, propertyChangeSchema } from './subscription-properties.ts'

export const updateSubscriptionProperties = command('POST /users/me/subscriptions/properties', {
  summary: "Update properties of the caller's subscriptions",
  access: requireUser,
  params: { subscription_data: json(list(propertyChangeSchema)) },
  returns: {},
  async handle({ realm, me, params, commit }) {
    checkProperties(realm, me, params.subscription_data) // checks what it can before the change begins
    await commit((change) => changeProperties(change, me, params.subscription_data))
    return {}
  },
})
