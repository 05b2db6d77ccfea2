import { z } from 'zod'
import { requireAdministrator } from '../../../http/access.ts'
import { command } from '../../../http/endpoint.ts'
import { linkifiersOf } from '../../kernel/linkifiers/linkifiers.ts'
import { checkIsNew, checkLinkifier, linkifierParams } from './rules.ts'

export const addLinkifier = command('POST /realm/filters', {
  summary: 'Add a linkifier',
  creates: true,
  access: requireAdministrator,
  params: linkifierParams,
  returns: { id: z.int() },
  async handle({ realm, params, conclude }) {
    checkLinkifier(realm, params)
    return conclude(async (change) => {
      checkIsNew(change.state, params)
      const last = linkifiersOf(change.state).at(-1)
      const place = last ? change.state.linkifiers.require(last.id).place + 1 : 0
      const row = await change.insert('linkifier', { ...params, place })
      return { id: row.id }
    })
  },
})
