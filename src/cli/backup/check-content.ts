import type { Content } from '../../lib/files/hashed-file.ts'
import { hashFile } from '../../lib/files/hashed-file.ts'
import type { Chosen } from './choose.ts'
import type { FileList } from './file-list.ts'
import type { BackupFolder, BackupManifest } from './manifest.ts'

/** Yields a sentence for each part of a backup's database that is missing or has changed. */
export async function* faultsOfDatabase(
  places: BackupFolder,
  { id, database }: BackupManifest,
): AsyncGenerator<string> {
  if (database.form === 'dump') yield* faultOf(places.dump(id), database)
  else {
    yield* faultOf(places.base(database.base.id), database.base)
    for (const segment of database.wal) yield* faultOf(places.segment(segment.name), segment)
  }
}

/** Yields a sentence for each list of files that cannot be read. A missing list is no fault. */
export async function* faultsOfLists(
  places: BackupFolder,
  { manifest, before }: Chosen,
): AsyncGenerator<string> {
  for (const { id, files } of before ? [before, manifest] : [manifest]) {
    yield* faultOf(places.fileList(id), files)
  }
}

/** Yields a sentence for each file of a list that is missing or has changed. */
export async function* faultsOfFiles(places: BackupFolder, list: FileList): AsyncGenerator<string> {
  for (const [path, content] of list) yield* faultOf(places.file(path), content)
}

async function* faultOf(file: string, { bytes, sha256 }: Content): AsyncGenerator<string> {
  const found = await hashFile(file)
  if (!found) yield `${file} is missing.`
  else if (found.bytes !== bytes) yield `${file} has ${found.bytes} bytes, and had ${bytes}.`
  else if (found.sha256 !== sha256) yield `${file} has changed since it was written.`
}
