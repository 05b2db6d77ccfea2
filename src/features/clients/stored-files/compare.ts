import { sql } from 'kysely'
import type { FileStore } from '../../../adapters/files/file-store.ts'
import type { Reader } from '../../../db/database.ts'
import { readHead } from '../../../log/head.ts'
import { expectedFiles } from '../kernel/stored-files/expected.ts'

type Comparison = {
  /** The number of files that rows refer to. */
  expected: number
  /** The paths of those files that are missing from the store. */
  missing: string[]
  /** Files in the store that no row refers to. */
  unrecorded: string[]
}

/**
 * Compares the files in the store with those that an organization's rows refer to. Servers may be running meanwhile. Throws
 * LogClosed if the organization is not in this database.
 */
export async function compareFiles(read: Reader, files: FileStore, realmId: number): Promise<Comparison> {
  // A row is written before its file is stored, so listing the store first guarantees that all its files have rows.
  const stored = new Set<string>()
  for await (const path of files.list(`${realmId}/`)) stored.add(path)
  const notStored: string[] = []
  let expected = 0
  await read.longSnapshot(async (moment) => {
    // Throws if the organization has been moved: this database no longer has all of its rows.
    await readHead(moment, realmId)
    for await (const path of expectedFiles(moment, realmId)) {
      expected += 1
      if (!stored.delete(path)) notStored.push(path)
    }
    const noted = await moment.rows(sql<{ path: string }>`
      SELECT path FROM unrecorded_file WHERE realm_id = ${realmId}`)
    for (const { path } of noted) stored.delete(path)
  })
  return { expected, missing: await withoutNewer(files, notStored), unrecorded: [...stored] }
}

/** Returns the paths that are still missing. Files stored after the store was listed exist by now. */
async function withoutNewer(files: FileStore, paths: string[]) {
  const missing: string[] = []
  for (const path of paths) {
    const found = await files.open(path)
    if (found) found.content.destroy()
    else missing.push(path)
  }
  return missing
}
