import { requireAdministrator } from '../../../http/access.ts'
import { command } from '../../../http/endpoint.ts'
import { pathInteger } from '../../../http/params.ts'
import { linkifierById } from '../../kernel/linkifiers/linkifiers.ts'
import { checkIsNew, checkLinkifier, linkifierParams } from './rules.ts'

export const updateLinkifier = command('PATCH /realm/filters/{filter_id}', {
  summary: 'Update a linkifier',
  since: 57,
  access: requireAdministrator,
  params: { filter_id: pathInteger(), ...linkifierParams },
  returns: {},
  async handle({ realm, params: { filter_id: id, ...linkifier }, commit }) {
    linkifierById(realm, id)
    checkLinkifier(realm, linkifier, id)
    await commit(async (change) => {
      linkifierById(change.state, id)
      checkIsNew(change.state, linkifier, id)
      await change.update('linkifier', { id, ...linkifier })
    })
    return {}
  },
})
