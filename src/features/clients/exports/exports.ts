import { randomBytes } from 'node:crypto'
import { type RawBuilder, sql } from 'kysely'
import { z } from 'zod'
import { isRecent } from '../../../db/recently.ts'
import type { DataExportRow } from '../../../db/schema.ts'
import { scheduleJob } from '../../../jobs/job.ts'
import { badRequest } from '../../../lib/api-error.ts'
import { firstIn } from '../../../lib/must.ts'
import { realmUrl, type Site } from '../../../lib/site.ts'
import type { Change } from '../../../log/change.ts'
import type { RealmState } from '../../../log/realm-state.ts'
import { administratorIds } from '../../people/kernel/users/administrators.ts'
import { exportLimits } from './limits.ts'
import { realmExportsChanged } from './realm_export.event.ts'
import type { ScopeName } from './scope.ts'

/** The kind of the jobs that create exports and remove them. */
export const exportJob = 'data_export'

/** The scopes of an organization's exports, by their numbers on the wire. */
export const exportTypes = { public: 1, consent: 2 } as const

export const exportSchema = z.object({
  id: z.int(),
  acting_user_id: z.int(),
  export_time: z.number(),
  deleted_timestamp: z.number().nullable(),
  failed_timestamp: z.number().nullable(),
  export_url: z.string().nullable(),
  pending: z.boolean(),
  export_type: z.int(),
})

export type ExportView = z.infer<typeof exportSchema>

export function exportView(realm: RealmState, site: Site, row: DataExportRow): ExportView {
  return {
    id: row.id,
    acting_user_id: row.user_id,
    export_time: row.created_at,
    deleted_timestamp: row.deleted_at,
    failed_timestamp: row.failed_at,
    export_url: exportUrl(realm, site, row),
    pending: isPending(row),
    export_type: exportTypes[row.scope as keyof typeof exportTypes],
  }
}

/** Returns the download address; null if the export cannot be downloaded. */
export function exportUrl(realm: RealmState, site: Site, row: DataExportRow): string | null {
  if (row.finished_at === null || row.deleted_at !== null) return null
  return `${realmUrl(site, realm.row)}/data_exports/${row.id}/${row.file}`
}

export function isPending({ finished_at, failed_at, deleted_at }: DataExportRow): boolean {
  return finished_at === null && failed_at === null && deleted_at === null
}

/** Finds all exports of the organization itself, including deleted and failed ones. */
export function realmExportsQuery(realmId: number): RawBuilder<DataExportRow> {
  return sql`SELECT * FROM data_export WHERE realm_id = ${realmId} AND scope <> 'person' ORDER BY id`
}

export function exportQuery(realmId: number, id: number): RawBuilder<DataExportRow> {
  return sql`SELECT * FROM data_export WHERE realm_id = ${realmId} AND id = ${id}::bigint`
}

/** Requests an export. Throws 400 if there have been too many recently, for the organization or for the user. */
export async function requestExport(
  change: Change,
  userId: number,
  scope: Exclude<ScopeName, 'full'>,
): Promise<DataExportRow> {
  const isSame = scope === 'person' ? sql`scope = 'person' AND user_id = ${userId}` : sql`scope <> 'person'`
  const recent = firstIn(
    await change.run(sql<{ count: number }>`
    SELECT count(*) FROM data_export WHERE realm_id = ${change.state.id} AND ${isSame}
      AND failed_at IS NULL AND ${isRecent('created_at', change.now, 7 * 86_400)}`),
  )
  if (recent.count >= exportLimits.exportsPerWeek) throw badRequest('Exceeded rate limit.')
  const file = `${randomBytes(20).toString('hex')}.tar.gz`
  const row = await change.insert('data_export', { user_id: userId, scope, file, created_at: change.now })
  await scheduleJob(change, exportJob, row.id, change.now)
  return row
}

/** Notifies administrators of the current state of the organization's exports. */
export async function emitExports(change: Change, site: Site) {
  const { state } = change
  const rows = await change.run(realmExportsQuery(state.id))
  const views = rows.map((row) => exportView(state, site, row))
  change.emit(realmExportsChanged(views), { users: administratorIds(state) })
}
