import type { AccountRow, DataExportRow } from '../../../db/schema.ts'
import { isAdministrator, requireHuman } from '../../../http/access.ts'
import { query } from '../../../http/endpoint.ts'
import { pathInteger, pathText } from '../../../http/params.ts'
import { FileAnswer } from '../../../http/responses/answer-kinds.ts'
import { ApiError } from '../../../lib/api-error.ts'
import { exportPath } from '../kernel/exports/export-path.ts'
import { exportQuery } from './exports.ts'

export const downloadExport = query('GET /data_exports/{export_id}/{file}', {
  summary: 'Download a data export',
  root: true,
  access: requireHuman,
  params: { export_id: pathInteger(), file: pathText() },
  returns: {},
  async handle({ realm, me, params, read, adapters }) {
    const [row] = await read.rows(exportQuery(realm.id, params.export_id))
    const isThere = row && row.finished_at !== null && row.deleted_at === null && row.file === params.file
    if (!isThere || !mayDownload(me, row)) throw new ApiError('File not found', 'NOT_FOUND', 404)
    return new FileAnswer((range) => adapters.files.open(exportPath(realm.id, row.file), range), {
      contentType: 'application/gzip',
      ...(row.size !== null && { size: row.size }),
      disposition: { saveAs: `${row.scope}-export-${row.id}.tar.gz` },
      cacheControl: 'private, no-store',
      etag: row.file,
    })
  },
})

/** A personal export is only for its user. */
function mayDownload(me: AccountRow, row: DataExportRow): boolean {
  return row.scope === 'person' ? row.user_id === me.id : isAdministrator(me)
}
