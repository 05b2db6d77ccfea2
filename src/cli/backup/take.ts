import { join, relative, resolve } from 'node:path'
import type pg from 'pg'
import type { Config } from '../../config/config.ts'
import { backupLock } from '../../db/backup-lock.ts'
import { migrations } from '../../db/migrate.ts'
import { systemMilliseconds } from '../../lib/clock.ts'
import { codeOf, messageOf } from '../../lib/errors.ts'
import { productVersion } from '../../lib/version.ts'
import { lockDataDirectory } from '../../postgres/data-directory.ts'
import { joinDatabase } from '../database/database.ts'
import { withClient } from '../database/with-client.ts'
import { writingTo } from '../file-faults.ts'
import { configuredFiles } from '../files.ts'
import { cliLimits } from '../limits.ts'
import { remark } from '../output.ts'
import { writeForServer } from '../private-file.ts'
import { copyCluster, dumpDatabase } from './copy-database.ts'
import { type CopiedFiles, copyFiles } from './copy-files.ts'
import { type FileList, readFileList, writeFileList } from './file-list.ts'
import {
  type BackupFolder,
  type BackupManifest,
  backupId,
  idsIn,
  manifestOf,
  placesIn,
  prepareFolder,
  writeManifest,
} from './manifest.ts'
import { pruneBackups, removeInterrupted } from './prune.ts'
import { unlessRead } from './reading.ts'
import { openSettings } from './settings.ts'

type Wanted = {
  config: Config
  environment: NodeJS.ProcessEnv
  folder: string
  /** Whether to copy the whole database even if an incremental copy would do. */
  full: boolean
  /** The age of a full copy, in days, after which the next full copy is made. */
  fullAfterDays: number
  /** How many full copies stay; undefined: all. */
  keep: number | undefined
}

/** `removed`: how many older backups were removed. */
export type Taken = { manifest: BackupManifest; files: CopiedFiles; removed: number }

/** Makes a backup of the whole server, which may be running. Throws one sentence if it cannot. */
export async function takeBackup(wanted: Wanted): Promise<Taken> {
  const { config, folder } = wanted
  if (config.databases !== undefined) {
    throw new Error(
      'This copies one database, and ROOKERY_DATABASES names others: back up each by its own means, as docs/guide/backup.md says.',
    )
  }
  const places = placesIn(resolve(folder))
  if (!relative(config.dataDirectory, places.folder).startsWith('..')) {
    throw new Error(
      'The backup would be inside the data directory: name a directory elsewhere, on another disk.',
    )
  }
  return writingTo(places.folder, async () => {
    await prepareFolder(places)
    // Servers of other databases may be backed up there, too.
    const lock = await lockDataDirectory(places.folder, 'backup directory')
    try {
      return await takeInto(wanted, places)
    } finally {
      await lock.release()
    }
  })
}

async function takeInto(wanted: Wanted, places: BackupFolder): Promise<Taken> {
  const { config, keep } = wanted
  const database = await joinDatabase(config, remark)
  try {
    return await withClient(database.url, async (client) => {
      await takeLock(client)
      await removeInterrupted(places)
      const taken = await take(wanted, places, client)
      await noteFinished(config, places, taken.manifest).catch((error) =>
        // The disk of the server may be full, or another machine, and the backup is good all the same.
        remark(`rookery doctor does not learn of this backup, as ${messageOf(error)}`),
      )
      // Within both locks, so that no other backup is using what this removes.
      return { ...taken, removed: keep === undefined ? 0 : await prune(places, keep) }
    })
  } finally {
    await database.close()
  }
}

const olderStay = {
  taken: 'Another command is reading these backups, so the older ones stay until the next backup.',
  unknown:
    'The older backups stay, because flock(1) is missing or cannot lock a file in their directory: another command may be reading them.',
}

async function prune(places: BackupFolder, keep: number): Promise<number> {
  const removed = await unlessRead(places, () => pruneBackups(places, keep, remark))
  if (typeof removed === 'number') return removed
  remark(olderStay[removed])
  return 0
}

async function take(
  wanted: Wanted,
  places: BackupFolder,
  client: pg.Client,
): Promise<Omit<Taken, 'removed'>> {
  const { config, environment, full, fullAfterDays } = wanted
  const begun = new Date(systemMilliseconds())
  const id = backupId(begun, (await idsIn(places)).at(-1))
  const last = await newestIn(places)
  const task = { client, config, places, id }
  const isDue = full || (last && isWholeDue(last, begun, fullAfterDays))
  const { release, ...copy } = await (config.databaseUrl === undefined
    ? copyCluster(task, isDue ? undefined : last)
    : dumpDatabase(task))
  // The files are copied after the database, so that every file that its rows name is among them.
  const known = last ? await knownFiles(places, last.id) : new Map()
  const files = await copyFiles(configuredFiles(config), places, known)
  const list = await writeFileList(places, id, files.list)
  const manifest = await writeManifest(places, {
    id,
    ...copy,
    started_at: begun.toISOString(),
    finished_at: new Date(systemMilliseconds()).toISOString(),
    made_by: productVersion,
    schema: await migrations(),
    files: { ...list, count: files.list.size, total_bytes: files.totalBytes },
    settings: openSettings(environment),
  })
  await release()
  return { manifest, files }
}

/** If the newest backup cannot be read, everything is copied. */
async function newestIn(places: BackupFolder): Promise<BackupManifest | undefined> {
  const id = (await idsIn(places)).at(-1)
  if (id === undefined) return undefined
  return manifestOf(places, id).catch((error: Error) => {
    remark(error.message)
    return undefined
  })
}

/** Without the list of the last backup, all files are copied anew. */
function knownFiles(places: BackupFolder, id: string): Promise<FileList> {
  return readFileList(places, id).catch((error: Error) => {
    remark(error.message)
    return new Map()
  })
}

/** Whether the next backup copies the database whole: the last whole copy is old or dated by a clock that was ahead, or much was logged since. */
export function isWholeDue(last: BackupManifest, now: Date, fullAfterDays: number): boolean {
  const { database } = last
  // Each manifest lists all segments since the whole copy, and a restore replays all of them.
  const isLong = database.form === 'cluster' && database.wal.length >= cliLimits.segmentsPerCopy
  return isLong || Math.abs(ageOfBase(last, now)) > fullAfterDays
}

function ageOfBase({ database }: BackupManifest, now: Date): number {
  if (database.form === 'dump') return Number.POSITIVE_INFINITY
  return (now.getTime() - Date.parse(database.base.moment)) / 86_400_000
}

/**
 * Ends with the session. Waits a moment, as each removal of a file by the server shares the lock, but not for another backup,
 * which would only copy the same.
 */
async function takeLock(client: pg.Client) {
  await client.query(`SET lock_timeout = '${cliLimits.backupLockSeconds}s'`)
  await client.query('SELECT pg_advisory_lock($1)', [backupLock]).catch((error) => {
    if (codeOf(error) !== lockNotAvailable) throw error
    throw new Error(
      'Another backup of this database is under way, or a command that removes files: try again when it is finished.',
      {
        cause: error,
      },
    )
  })
  await client.query('RESET lock_timeout')
}

/** PostgreSQL's error code lock_not_available. */
const lockNotAvailable = '55P03'

/** Lets doctor and the server tell how old the newest backup is. */
async function noteFinished(
  { dataDirectory }: Config,
  { folder }: BackupFolder,
  { kind, finished_at }: BackupManifest,
) {
  const file = join(dataDirectory, 'backup.json')
  await writingTo(file, () =>
    writeForServer(file, `${JSON.stringify({ finished_at, kind, directory: folder })}\n`),
  )
}
