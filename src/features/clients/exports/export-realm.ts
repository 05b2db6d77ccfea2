import { z } from 'zod'
import { requireAdministrator } from '../../../http/access.ts'
import { command } from '../../../http/endpoint.ts'
import { integer } from '../../../http/params.ts'
import { badRequest } from '../../../lib/api-error.ts'
import { emitExports, exportTypes, requestExport } from './exports.ts'

export const exportRealm = command('POST /export/realm', {
  summary: "Start an export of the organization's data",
  creates: true,
  access: requireAdministrator,
  params: {
    export_type: integer()
      .documentedAs({ enum: [exportTypes.public, exportTypes.consent] })
      .default(exportTypes.public),
  },
  returns: { id: z.int() },
  async handle({ me, params, site, conclude }) {
    const scope = scopeOf(params.export_type)
    return conclude(async (change) => {
      const row = await requestExport(change, me.id, scope)
      await emitExports(change, site)
      return { id: row.id }
    })
  },
})

function scopeOf(type: number): keyof typeof exportTypes {
  if (type === exportTypes.public) return 'public'
  if (type === exportTypes.consent) return 'consent'
  throw badRequest('Invalid export_type')
}
