import type { LongReader } from '../../../db/database.ts'
import { badRequest } from '../../../lib/api-error.ts'
import { exportReadLimits } from '../kernel/exports/limits.ts'
import { expectedFiles } from '../kernel/stored-files/expected.ts'
import { filesOfRow } from '../kernel/stored-files/files-of-rows.ts'
import { exportLimits } from './limits.ts'
import type { TableRows } from './rows.ts'

/** Yields the paths in the store of all files that belong to an export: those that its rows refer to. */
export async function* filesOf(
  read: LongReader,
  realmId: number,
  tables: TableRows[],
): AsyncIterable<string> {
  for (const { file, query } of tables) {
    for await (const rows of read.portions(query, exportReadLimits.exportPortion)) {
      for (const { line } of rows) yield* filesOfRow(file.name, realmId, JSON.parse(line) as object)
    }
  }
}

/**
 * Throws if files are missing that rows still refer to. A file that was deleted during the export has a row in the
 * snapshot, but no longer in the database.
 */
export async function checkComplete(read: LongReader, realmId: number, missing: string[]) {
  const wanted = new Set(missing)
  const lost: string[] = []
  for await (const path of expectedFiles(read, realmId)) if (wanted.has(path)) lost.push(path)
  if (lost.length > 0) throw incomplete(lost)
}

/** The export cannot succeed as things are: the files must be found or given up first. */
function incomplete(lost: string[]) {
  const named = lost.slice(0, exportLimits.missingFilesNamed).join(', ')
  const rest = lost.length > exportLimits.missingFilesNamed ? ', and more' : ''
  return badRequest(
    `The export is not complete: ${lost.length} of its files are not in the file store (${named}${rest}).`,
  )
}
