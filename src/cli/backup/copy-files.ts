import { stat } from 'node:fs/promises'
import type { FileStore } from '../../adapters/files/file-store.ts'
import { writeHashed } from '../../lib/files/hashed-file.ts'
import type { FileList } from './file-list.ts'
import type { BackupFolder } from './manifest.ts'

/** The files of a backup, and the bytes of those that it has copied. */
export type CopiedFiles = { list: FileList; totalBytes: number; newBytes: number }

/**
 * Copies the files of the store that no earlier backup has. A stored file never changes, as its name is random: a file of a
 * known path is known. `known`: the files of the backup before.
 */
export async function copyFiles(
  store: FileStore,
  places: BackupFolder,
  known: FileList,
): Promise<CopiedFiles> {
  const list: FileList = new Map()
  const copied: CopiedFiles = { list, totalBytes: 0, newBytes: 0 }
  for await (const path of store.list('')) {
    const before = known.get(path)
    const isThere = before && (await sizeOf(places.file(path))) === before.bytes
    const content = isThere ? before : await copyFile(store, places, path)
    // A change from before this backup has removed the file since it was listed.
    if (!content) continue
    list.set(path, content)
    copied.totalBytes += content.bytes
    if (!isThere) copied.newBytes += content.bytes
  }
  return copied
}

async function copyFile(store: FileStore, places: BackupFolder, path: string) {
  const found = await store.open(path)
  return found && writeHashed(found.content, places.file(path))
}

async function sizeOf(file: string): Promise<number | undefined> {
  return (await stat(file).catch(() => undefined))?.size
}
