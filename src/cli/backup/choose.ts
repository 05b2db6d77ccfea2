import type { ClusterCopy } from '../../postgres/cluster-restore.ts'
import { remark } from '../output.ts'
import {
  type BackupFolder,
  type BackupManifest,
  type ClusterPart,
  idsIn,
  manifestOf,
  readableIn,
} from './manifest.ts'

/** The backup that the user asked for: by its name, or by a time; by default the newest. */
export type Choice = { backup?: string | undefined; time?: string | undefined }

/** A backup, and the moment at which its restore stops, if that is not the moment of the backup. */
export type Chosen = {
  manifest: BackupManifest
  until: string | undefined
  /** The newest backup that ends before that moment. */
  before?: BackupManifest | undefined
}

/** Returns the backup that the user asked for. Throws one sentence if there is none. */
export async function chooseBackup(places: BackupFolder, { backup, time }: Choice): Promise<Chosen> {
  const ids = await idsIn(places)
  const newest = ids.at(-1)
  if (newest === undefined)
    throw new Error(`${places.folder} holds no finished backup: make one with rookery backup.`)
  // Other backups may be damaged.
  if (time !== undefined) return atTime(await readableIn(places, remark), time)
  if (backup !== undefined && !ids.includes(backup)) {
    throw new Error(`${places.folder} holds no backup ${backup}; it has ${ids.join(', ')}.`)
  }
  return { manifest: await manifestOf(places, backup ?? newest), until: undefined }
}

function atTime(all: BackupManifest[], time: string): Chosen {
  const at = /^\d{4}-\d\d-\d\d/.test(time) ? Date.parse(time) : Number.NaN
  if (Number.isNaN(at)) throw new Error(`${time} is no time: write it like 2026-03-31T14:30:00Z.`)
  const copies = all.filter(({ database }) => database.form === 'cluster')
  const manifest = copies.find((one) => startOf(one) <= at && at < Date.parse(one.moment))
  if (manifest) {
    const before = copies.findLast((one) => Date.parse(one.moment) <= at)
    return { manifest, until: new Date(at).toISOString(), before }
  }
  const ranges = copies.map((one) => `${new Date(startOf(one)).toISOString()} to ${one.moment}`)
  throw new Error(
    ranges.length === 0
      ? 'These backups are dumps of a database elsewhere, each of one moment: choose one with --backup.'
      : `No backup covers ${new Date(at).toISOString()}; they cover ${[...new Set(ranges)].join(', ')}.`,
  )
}

/** From this moment on, a restore can stop anywhere up to the moment of the backup. */
function startOf({ database, moment }: BackupManifest): number {
  return Date.parse(database.form === 'cluster' ? database.base.moment : moment)
}

export function copyOf(
  places: BackupFolder,
  { base, wal }: ClusterPart,
  until: string | undefined,
): ClusterCopy {
  const segments = wal.map(({ name }) => ({ name, file: places.segment(name) }))
  return { base: places.base(base.id), wal: segments, until }
}
