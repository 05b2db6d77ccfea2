import type { FileStore } from '../../../adapters/files/file-store.ts'
import { contentPath } from '../../messages/uploads/paths.ts'

/** Finds the oldest and the newest uploads of each organization that is here, few enough to check quickly. */
export const sampleQuery = `
  SELECT upload.path FROM realm r JOIN realm_head h ON h.realm_id = r.id CROSS JOIN LATERAL (
    (SELECT path FROM attachment WHERE realm_id = r.id AND removed_at IS NULL ORDER BY id LIMIT 3)
    UNION
    (SELECT path FROM attachment WHERE realm_id = r.id AND removed_at IS NULL ORDER BY id DESC LIMIT 3)) AS upload
  ORDER BY r.id LIMIT 60`

/** Returns those of these uploads that have no file in the store. */
export async function missingOf(files: FileStore, paths: string[]): Promise<string[]> {
  const missing: string[] = []
  for (const path of paths) {
    const found = await files.open(contentPath(path), { start: 0, end: 0 })
    if (found) found.content.destroy()
    else missing.push(contentPath(path))
  }
  return missing
}
