import { type RawBuilder, sql } from 'kysely'
import type { LongReader } from '../../db/database.ts'
import type { FileStore } from '../../lib/file-store.ts'
import { limits } from '../../lib/limits.ts'
import { picturePath } from '../pictures/store.ts'
import { contentPath, thumbnailPath } from '../uploads/paths.ts'
import { formatsOf } from '../uploads/thumbnails.ts'
import type { TableRows } from './rows.ts'
import type { ScopeName } from './scope.ts'

/** Where exports themselves are in the store, below the organization's id. */
const exportsFolder = 'exports'

/** Where the file of an export is in the store. */
export function exportPath(realmId: number, file: string): string {
  return `${realmId}/${exportsFolder}/${file}`
}

/**
 * The paths in the store of all files that belong to an export: uploads, by their rows, and their thumbnails; the
 * pictures of everybody, or of the one person; for the full export, whatever else the organization has there.
 */
export async function* filesOf(
  read: LongReader,
  files: FileStore,
  realmId: number,
  name: ScopeName,
  tables: TableRows[],
): AsyncIterable<string> {
  const attachments = tables.find(({ file }) => file.name === 'attachment')!
  yield* uploadsIn(read, attachments.query)
  if (name === 'person') {
    const accounts = tables.find(({ file }) => file.name === 'account')!
    yield* avatarsIn(read, files, realmId, accounts.query)
    return
  }
  if (name !== 'full') return yield* files.list(picturePath(realmId, ''))
  for await (const path of files.list(`${realmId}/`)) {
    if (!['uploads', 'thumbnails', exportsFolder].includes(path.split('/')[1]!)) yield path
  }
}

type Upload = { path: string; thumbnail: string | null; is_animated: boolean }

async function* uploadsIn(read: LongReader, query: RawBuilder<{ line: string }>) {
  for await (const rows of read.portions(query, limits.exportPortion)) {
    for (const { line } of rows) {
      const { path, thumbnail, is_animated } = JSON.parse(line) as Upload
      yield contentPath(path)
      if (thumbnail !== 'made') continue
      for (const format of formatsOf({ is_animated })) yield thumbnailPath(path, format.name)
    }
  }
}

async function* avatarsIn(
  read: LongReader,
  files: FileStore,
  realmId: number,
  query: RawBuilder<{ line: string }>,
) {
  const rows = await read.rows(sql<{ file: string | null }>`
    SELECT line::json ->> 'avatar_file' AS file FROM (${query}) AS lines`)
  for (const { file } of rows) if (file) yield* files.list(picturePath(realmId, file))
}
