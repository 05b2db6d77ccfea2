import { open } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Config } from '../../config/config.ts'
import { checkIsNotNewer, migrationGap, migrations } from '../../db/migrate.ts'
import { writeHashed } from '../../lib/files/hashed-file.ts'
import { giveToOwnerOf, makeDirectory } from '../../lib/files/ownership.ts'
import { makeCluster, restoreCluster } from '../../postgres/cluster-restore.ts'
import { clusterVersionHere } from '../../postgres/cluster-version.ts'
import { withClient } from '../database/with-client.ts'
import { readingFrom } from '../file-faults.ts'
import { configuredFiles, directoryOf } from '../files.ts'
import { remark } from '../output.ts'
import { type Chosen, copyOf } from './choose.ts'
import { checkTool, runTool } from './copy-database.ts'
import type { FileList } from './file-list.ts'
import type { BackupFolder, BackupManifest } from './manifest.ts'

/** Throws one sentence if this version cannot restore the backup. */
export async function checkFits({ schema, made_by, database }: BackupManifest): Promise<void> {
  const known = await migrations()
  checkIsNotNewer(schema.filter((name) => !known.includes(name)))
  if (database.form === 'dump') return checkTool('pg_restore', database.version)
  const own = clusterVersionHere()
  if (own === database.version) return
  throw new Error(
    `The backup is of PostgreSQL ${database.version}, and this version of Rookery brings ${own}: restore it with the version that made it (${made_by}).`,
  )
}

/**
 * Restores the database of a backup as the embedded PostgreSQL of a data directory that has none. `work` gets its
 * address before it is moved into place.
 */
export async function putClusterBack(
  directory: string,
  places: BackupFolder,
  { manifest, until }: Chosen,
  work: (url: string) => Promise<void>,
): Promise<void> {
  const { database, id } = manifest
  if (database.form === 'cluster') {
    return restoreCluster(directory, copyOf(places, database, until), remark, work)
  }
  return makeCluster(directory, remark, async (url) => {
    await putDumpBack(url, places, id)
    await work(url)
  })
}

/** Restores a dump into an empty database, all of it or nothing. */
export async function putDumpBack(url: string, places: BackupFolder, id: string): Promise<void> {
  const { isNew } = await withClient(url, migrationGap)
  if (!isNew) throw new Error('The database is not empty: name a new one with DATABASE_URL.')
  const options = [
    '--no-owner',
    '--no-privileges',
    '--exit-on-error',
    '--single-transaction',
    places.dump(id),
  ]
  await runTool('pg_restore', options, url)
}

/** Copies the files of a backup into the store. Throws one sentence if one is not as it was. */
export async function putFilesBack(config: Config, places: BackupFolder, list: FileList): Promise<void> {
  const store = configuredFiles(config)
  for (const [path, { bytes, sha256 }] of list) {
    if (path.split('/').some((part) => /^\.*$/.test(part)))
      throw new Error(`The list of files is damaged: ${path}.`)
    const file = places.file(path)
    const content = (await readingFrom(file, () => open(file))).createReadStream()
    if (config.s3Bucket !== undefined) {
      if ((await store.put(path, content)) !== bytes) throw damagedError(places, path)
      continue
    }
    // Not through the store, which would fill holes.
    const target = join(directoryOf(config), path)
    await makeDirectory(dirname(target))
    const found = await writeHashed(content, target)
    await giveToOwnerOf(dirname(target), target)
    if (found.sha256 !== sha256) throw damagedError(places, path)
  }
}

function damagedError(places: BackupFolder, path: string) {
  return new Error(`${places.file(path)} has changed since it was written: rookery backup verify says more.`)
}
