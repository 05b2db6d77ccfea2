import { z } from 'zod'
import { human } from '../../http/access.ts'
import { command } from '../../http/endpoint.ts'
import { requestExport } from './exports.ts'

export const exportOwnData = command('POST /rookery/own_exports', {
  summary: "Have an export of one's own data made: account, settings, what one has written and uploaded",
  access: human,
  params: {},
  returns: { id: z.int() },
  async handle({ me, commit }) {
    const { id } = await commit((change) => requestExport(change, me.id, 'person'))
    return { id }
  },
})
