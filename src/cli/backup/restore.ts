import { readdir, rm, stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { Config } from '../../config/config.ts'
import { beginEpochs } from '../../db/epoch.ts'
import { makeDirectories } from '../../lib/files/make-directories.ts'
import { makeDirectory } from '../../lib/files/ownership.ts'
import { workshopIn } from '../../postgres/cluster-restore.ts'
import { lockDataDirectory } from '../../postgres/data-directory.ts'
import { hasOwn } from '../database/database.ts'
import { withClient } from '../database/with-client.ts'
import { writingTo } from '../file-faults.ts'
import { directoryOf } from '../files.ts'
import { faultsOfDatabase } from './check-content.ts'
import { type Choice, chooseBackup } from './choose.ts'
import { readChosenFiles } from './file-list.ts'
import { type BackupFolder, type BackupManifest, placesIn } from './manifest.ts'
import { checkFits, putClusterBack, putDumpBack, putFilesBack } from './put-back.ts'
import { whileReading } from './reading.ts'
import { type PutSettings, putSettings, readSecrets } from './settings.ts'

type Wanted = { config: Config; folder: string; choice: Choice; secrets: string | undefined }

type Restored = { manifest: BackupManifest; until: string | undefined; settings: PutSettings }

/**
 * Puts a backup into a data directory, and database, that are empty: the database last, so that no server starts on half of it.
 * All logs begin a new epoch.
 */
export async function restoreBackup(wanted: Wanted): Promise<Restored> {
  if (wanted.config.databases !== undefined) {
    throw new Error(
      'A backup has one database, and ROOKERY_DATABASES names others: restore each by its own means, as docs/guide/backup.md says.',
    )
  }
  const places = placesIn(resolve(wanted.folder))
  return whileReading(places, () => restore(places, wanted))
}

async function restore(places: BackupFolder, { config, choice, secrets }: Wanted): Promise<Restored> {
  const given = secrets === undefined ? {} : await readSecrets(secrets)
  const chosen = await chooseBackup(places, choice)
  const { manifest, until } = chosen
  await checkFits(manifest)
  const { dataDirectory, databaseUrl } = config
  if (databaseUrl !== undefined && manifest.database.form === 'cluster') {
    throw new Error(
      'The backup is of the bundled database, and DATABASE_URL names another: leave it out, and move with rookery export afterwards.',
    )
  }
  return writingTo(dataDirectory, async () => {
    makeDirectories(dataDirectory, 0o700)
    const lock = await lockDataDirectory(dataDirectory)
    try {
      await checkIsEmpty(config)
      for await (const fault of faultsOfDatabase(places, manifest)) throw new Error(fault)
      // While this directory exists, no server starts with an empty database here.
      const unfinished = workshopIn(dataDirectory)
      await makeDirectory(unfinished)
      await putFilesBack(config, places, await readChosenFiles(places, chosen))
      const settings = await putSettings(config, manifest.settings, given)
      const begin = (url: string) => withClient(url, beginEpochs)
      if (databaseUrl === undefined) await putClusterBack(dataDirectory, places, chosen, begin)
      else {
        await putDumpBack(databaseUrl, places, manifest.id)
        await begin(databaseUrl)
        await rm(unfinished, { recursive: true })
      }
      return { manifest, until, settings }
    } finally {
      await lock.release()
    }
  })
}

async function checkIsEmpty(config: Config) {
  if (config.databaseUrl === undefined && (await hasOwn(config))) {
    throw new Error(
      `There is a database in ${config.dataDirectory}: move that directory away, or name another one with --data.`,
    )
  }
  const files = directoryOf(config)
  const isUsed = (await stat(files).catch(() => undefined)) && (await readdir(files)).length > 0
  // An interrupted restore has left files of the same backup.
  if (isUsed && config.databaseUrl === undefined && !(await hasOwn(config))) return
  if (isUsed) throw new Error(`There are files in ${files}: move them away.`)
}
