import { z } from 'zod'
import { requireHuman } from '../../../http/access.ts'
import { command } from '../../../http/endpoint.ts'
import { requestExport } from './exports.ts'

export const exportOwnData = command('POST /rookery/own_exports', {
  summary: "Start an export of the caller's own data: account, settings, messages and uploads",
  creates: true,
  access: requireHuman,
  params: {},
  returns: { id: z.int() },
  async handle({ me, conclude }) {
    return conclude(async (change) => {
      const { id } = await requestExport(change, me.id, 'person')
      return { id }
    })
  },
})
