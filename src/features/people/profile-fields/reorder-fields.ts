import { requireAdministrator } from '../../../http/access.ts'
import { command } from '../../../http/endpoint.ts'
import { integers } from '../../../http/params.ts'
import { badRequest } from '../../../lib/api-error.ts'
import type { RealmState } from '../../../log/realm-state.ts'

export const reorderProfileFields = command('PATCH /realm/profile_fields', {
  summary: 'Reorder custom profile fields',
  access: requireAdministrator,
  params: { order: integers() },
  returns: {},
  async handle({ realm, params, commit }) {
    checkOrder(realm, params.order)
    await commit(async (change) => {
      checkOrder(change.state, params.order)
      await change.updateAll(
        'profile_field',
        params.order.map((id, place) => ({ id, place })),
      )
    })
    return {}
  },
})

function checkOrder({ profileFields }: RealmState, order: number[]) {
  const isComplete = order.length === profileFields.size && new Set(order).size === order.length
  if (!isComplete || order.some((id) => !profileFields.get(id))) throw badRequest('Invalid order mapping.')
}
