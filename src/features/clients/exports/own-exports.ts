import { type RawBuilder, sql } from 'kysely'
import { z } from 'zod'
import type { DataExportRow } from '../../../db/schema.ts'
import type { Site } from '../../../lib/site.ts'
import type { RealmState } from '../../../log/realm-state.ts'
import { exportUrl, isPending } from './exports.ts'

/** An export of the current user's own data. `url` is null while the export is being created, or if it failed. */
export const ownExportSchema = z.object({
  id: z.int(),
  created_at: z.int(),
  pending: z.boolean(),
  failed: z.boolean(),
  size: z.int().nullable(),
  url: z.string().nullable(),
})

export function ownExportView(
  realm: RealmState,
  site: Site,
  row: DataExportRow,
): z.infer<typeof ownExportSchema> {
  return {
    id: row.id,
    created_at: row.created_at,
    pending: isPending(row),
    failed: row.failed_at !== null,
    size: row.size,
    url: exportUrl(realm, site, row),
  }
}

/** Finds the exports that have not been removed. */
export function ownExportsQuery(realmId: number, userId: number): RawBuilder<DataExportRow> {
  return sql`SELECT * FROM data_export
    WHERE realm_id = ${realmId} AND scope = 'person' AND user_id = ${userId} AND deleted_at IS NULL ORDER BY id`
}
