import { requireAdministrator } from '../../../http/access.ts'
import { command } from '../../../http/endpoint.ts'
import { pathInteger } from '../../../http/params.ts'
import { scheduleJob } from '../../../jobs/job.ts'
import { badRequest } from '../../../lib/api-error.ts'
import { emitExports, exportJob, exportQuery, isPending } from './exports.ts'

export const deleteRealmExport = command('DELETE /export/realm/{export_id}', {
  summary: "Delete a data export's file",
  access: requireAdministrator,
  params: { export_id: pathInteger() },
  returns: {},
  async handle({ params, site, commit }) {
    await commit(async (change) => {
      const [row] = await change.run(exportQuery(change.state.id, params.export_id))
      if (!row || row.scope === 'person') throw badRequest('Invalid data export ID')
      if (row.deleted_at !== null) throw badRequest('Export already deleted')
      if (row.failed_at !== null) throw badRequest('Export failed, nothing to delete')
      if (isPending(row)) throw badRequest('Export still in progress')
      await change.update('data_export', { id: row.id, deleted_at: change.now })
      await scheduleJob(change, exportJob, row.id, change.now)
      await emitExports(change, site)
    })
    return {}
  },
})
