import { z } from 'zod'
import { administrator } from '../../http/access.ts'
import { command } from '../../http/endpoint.ts'
import { linkifiersOf, tellOfLinkifiers } from './linkifiers.ts'
import { checkIsNew, checkLinkifier, linkifierParams } from './rules.ts'

export const addLinkifier = command('POST /realm/filters', {
  summary: 'Add a linkifier',
  access: administrator,
  params: linkifierParams,
  returns: { id: z.int() },
  async handle({ realm, params, commit }) {
    checkLinkifier(realm, params)
    const { id } = await commit(async (change) => {
      checkIsNew(change.state, params)
      const last = linkifiersOf(change.state).at(-1)
      const place = last ? change.state.linkifiers.get(last.id)!.place + 1 : 0
      const row = await change.insert('linkifier', { ...params, place })
      tellOfLinkifiers(change)
      return row
    })
    return { id }
  },
})
