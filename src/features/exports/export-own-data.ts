import { z } from 'zod'
import { human } from '../../http/access.ts'
import { command } from '../../http/endpoint.ts'
import { requestExport } from './exports.ts'

export const exportOwnData = command('POST /rookery/own_exports', {
  summary: "Start an export of the caller's own data: account, settings, messages and uploads",
  access: human,
  params: {},
  returns: { id: z.int() },
  async handle({ me, commit }) {
    const { id } = await commit((change) => requestExport(change, me.id, 'person'))
    return { id }
  },
})
