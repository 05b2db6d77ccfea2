import { createReadStream } from 'node:fs'
import { mkdir, open, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { makeDirectories } from '../lib/files/make-directories.ts'
import { makeDirectory } from '../lib/files/ownership.ts'
import { startEmbeddedPostgres } from './embedded.ts'
import { endLeftovers } from './embedded-leftovers.ts'

/** A copy of a cluster, and the segments of the log that make it a cluster again. */
export type ClusterCopy = {
  /** The archive that packCluster made. */
  base: string
  /** The segments, in order: their names, and the gzipped files that hold them. */
  wal: { name: string; file: string }[]
  /** Goes on to the last change before this moment (ISO 8601), not to the end of the log. */
  until?: string | undefined
}

/** Returns the directory in which a cluster is restored before it is moved into its place in a data directory. */
export function workshopIn(directory: string): string {
  return join(directory, 'restoring')
}

/**
 * Makes `directory`/postgres out of a copy: all or nothing. PostgreSQL runs through the log and begins a new timeline. `work`
 * gets the address of the restored database before it stands in its place.
 */
export async function restoreCluster(
  directory: string,
  copy: ClusterCopy,
  log: (line: string) => void,
  work: (url: string) => Promise<void>,
): Promise<void> {
  const settings: Record<string, string> = {
    // There is no archive: all segments are in their place.
    restore_command: 'false',
    recovery_target_action: 'promote',
    // PostgreSQL answers when it has gone through the log, and not before.
    hot_standby: 'off',
    // PostgreSQL takes a numeric zone here, not the Z of ISO 8601.
    ...(copy.until !== undefined && { recovery_target_time: copy.until.replace('Z', '+00') }),
  }
  await makeCluster(directory, log, work, { settings, prepare: (cluster) => layOut(cluster, copy) })
}

/** Makes `directory`/postgres: all or nothing. `work` fills it. Without `prepare`, it is empty before. */
export async function makeCluster(
  directory: string,
  log: (line: string) => void,
  work: (url: string) => Promise<void>,
  {
    settings = {},
    prepare,
  }: { settings?: Record<string, string>; prepare?: (cluster: string) => Promise<void> } = {},
): Promise<void> {
  const workshop = workshopIn(directory)
  const cluster = join(workshop, 'postgres')
  // An interrupted restore may have left processes.
  await endLeftovers(cluster, log)
  await rm(workshop, { recursive: true, force: true })
  await makeDirectory(workshop)
  await prepare?.(cluster)
  const postgres = await startEmbeddedPostgres({ dataDir: workshop, log, settings })
  try {
    await work(postgres.url)
  } finally {
    await postgres.stop()
  }
  await rename(cluster, join(directory, 'postgres'))
  await sync(directory)
  await rm(workshop, { recursive: true, force: true })
}

async function layOut(cluster: string, { base, wal }: ClusterCopy) {
  await mkdir(cluster, { mode: 0o700 })
  await unpack(base, cluster)
  const folder = join(cluster, 'pg_wal')
  makeDirectories(folder, 0o700)
  for (const { name, file } of wal) {
    const target = await open(join(folder, name), 'w', 0o600)
    await pipeline(createReadStream(file), createGunzip(), target.createWriteStream())
  }
  await writeFile(join(cluster, 'recovery.signal'), '', { mode: 0o600 })
}

async function unpack(archive: string, cluster: string) {
  const { default: tar } = await import('tar-stream')
  const extract = tar.extract()
  const passing = pipeline(createReadStream(archive), createGunzip(), extract)
  const taking = (async () => {
    const made = new Set([cluster])
    for await (const entry of extract) {
      const { name, type } = entry.header
      const place = join(cluster, name)
      if (!place.startsWith(`${cluster}/`)) throw new Error(`${archive} is damaged: it names ${name}.`)
      const directory = type === 'directory' ? place : dirname(place)
      if (!made.has(directory)) makeDirectories(directory, 0o700)
      made.add(directory)
      if (type === 'directory') entry.resume()
      else await writeEntry(entry, place)
    }
  })()
  // A full disk also ends the passing, which then says less.
  const [taken, passed] = await Promise.allSettled([taking, passing])
  for (const one of [taken, passed]) if (one.status === 'rejected') throw one.reason
}

/** A cluster has over a thousand files, and most of them are small: a stream for each takes longer than the writing. */
async function writeEntry(entry: AsyncIterable<unknown>, place: string) {
  const file = await open(place, 'w', 0o600)
  try {
    for await (const piece of entry) await file.writeFile(piece as Buffer)
  } finally {
    await file.close()
  }
}

async function sync(directory: string) {
  const handle = await open(directory)
  await handle.sync().finally(() => handle.close())
}
