import { requireAdministrator } from '../../../http/access.ts'
import { command } from '../../../http/endpoint.ts'
import { pathInteger } from '../../../http/params.ts'
import { linkifierById } from '../../kernel/linkifiers/linkifiers.ts'

export const removeLinkifier = command('DELETE /realm/filters/{filter_id}', {
  summary: 'Remove a linkifier',
  access: requireAdministrator,
  params: { filter_id: pathInteger() },
  returns: {},
  async handle({ realm, params, commit }) {
    linkifierById(realm, params.filter_id)
    await commit(async (change) => {
      const { id } = linkifierById(change.state, params.filter_id)
      await change.deleteAll('linkifier', [{ id }])
    })
    return {}
  },
})
