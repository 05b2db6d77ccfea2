import type { FileStore } from '../../../adapters/files/file-store.ts'
import { contentPath } from '../../messages/uploads/paths.ts'

/** The oldest and the newest uploads of each organization, of as many as it takes no time to look at. */
export const sampleQuery = `
  SELECT upload.path FROM realm r CROSS JOIN LATERAL (
    (SELECT path FROM attachment WHERE realm_id = r.id AND removed_at IS NULL ORDER BY id LIMIT 3)
    UNION
    (SELECT path FROM attachment WHERE realm_id = r.id AND removed_at IS NULL ORDER BY id DESC LIMIT 3)) AS upload
  ORDER BY r.id LIMIT 60`

/** Which of these uploads have no file in the store. */
export async function missingOf(files: FileStore, paths: string[]): Promise<string[]> {
  const missing: string[] = []
  for (const path of paths) {
    const found = await files.open(contentPath(path), { start: 0, end: 0 })
    if (found) found.content.destroy()
    else missing.push(contentPath(path))
  }
  return missing
}
