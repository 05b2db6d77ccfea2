import { requireAdministrator } from '../../../http/access.ts'
import { command } from '../../../http/endpoint.ts'
import { integers } from '../../../http/params.ts'
import { badRequest } from '../../../lib/api-error.ts'
import type { RealmState } from '../../../log/realm-state.ts'

export const reorderLinkifiers = command('PATCH /realm/linkifiers', {
  summary: 'Reorder linkifiers',
  since: 202,
  access: requireAdministrator,
  params: { ordered_linkifier_ids: integers() },
  returns: {},
  async handle({ realm, params: { ordered_linkifier_ids: order }, commit }) {
    checkOrder(realm, order)
    await commit(async (change) => {
      checkOrder(change.state, order)
      await change.updateAll(
        'linkifier',
        order.map((id, place) => ({ id, place })),
      )
    })
    return {}
  },
})

function checkOrder({ linkifiers }: RealmState, order: number[]) {
  const isComplete = order.length === linkifiers.size && new Set(order).size === order.length
  if (isComplete && order.every((id) => linkifiers.get(id))) return
  throw badRequest('The ordered list must enumerate all existing linkifiers exactly once')
}
