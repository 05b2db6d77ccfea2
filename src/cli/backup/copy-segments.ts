import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream'
import { createGunzip, createGzip } from 'node:zlib'
import type { Config } from '../../config/config.ts'
import { hashFile, writeHashed } from '../../lib/files/hashed-file.ts'
import { ignore } from '../../lib/guard.ts'
import { type BackupFolder, type ClusterPart, readableIn } from './manifest.ts'

/** Copies segments of PostgreSQL's log. */
export async function copySegments(
  { dataDirectory }: Config,
  places: BackupFolder,
  names: string[],
): Promise<ClusterPart['wal']> {
  const copied: ClusterPart['wal'] = []
  for (const name of names) {
    const source = join(dataDirectory, 'postgres', 'pg_wal', name)
    if (!(await isOfOther(places, name, source))) {
      const packed = createGzip({ level: 1 })
      // Each error, also one of the source, ends the writing.
      pipeline(createReadStream(source), packed, ignore)
      copied.push({ name, ...(await writeHashed(packed, places.segment(name))) })
      continue
    }
    throw new Error(
      `${places.segment(name)} is of another history of the database, and a backup needs it: back up into another directory.`,
    )
  }
  return copied
}

/**
 * Whether another backup has a different segment of that name: two copies of one server give their segments the same
 * names. A segment that no backup names is left from one that failed.
 */
async function isOfOther(places: BackupFolder, name: string, source: string): Promise<boolean> {
  const before = await hashFile(places.segment(name))
  if (!before) return false
  const unpacked = await hashUnpacked(places.segment(name)).catch(() => undefined)
  if (unpacked === (await hashFile(source))?.sha256) return false
  const all = await readableIn(places, ignore)
  return all.some(
    ({ database }) => database.form === 'cluster' && database.wal.some((one) => one.name === name),
  )
}

async function hashUnpacked(file: string): Promise<string> {
  const hash = createHash('sha256')
  const unpacked = createGunzip()
  pipeline(createReadStream(file), unpacked, ignore)
  for await (const piece of unpacked) hash.update(piece)
  return hash.digest('hex')
}
