import { readdir, readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { z } from 'zod'
import { makeDirectories } from '../../lib/files/make-directories.ts'
import { ignore } from '../../lib/guard.ts'
import { writePrivate } from '../private-file.ts'

const formatName = 'rookery-backup'
const formatVersion = 1

const content = z.object({ bytes: z.int(), sha256: z.string() })
// Names become paths, so they can only be what this makes.
const idPattern = /^\d{8}T\d{9}Z$/
const segment = content.extend({ name: z.string().regex(/^[0-9A-F]{24}$/) })

const manifestSchema = z.object({
  format: z.literal(formatName),
  format_version: z.literal(formatVersion),
  /** The time of the backup, or one after that in the name of the backup before. It names the files. */
  id: z.string().regex(idPattern),
  kind: z.enum(['full', 'incremental']),
  started_at: z.iso.datetime(),
  /** Everything that was acknowledged before is in the backup. */
  moment: z.iso.datetime(),
  finished_at: z.iso.datetime(),
  made_by: z.string(),
  schema: z.array(z.string()),
  database: z.discriminatedUnion('form', [
    /** A copy of our own cluster: what the full backup has copied, and the segments of PostgreSQL's log since. */
    z.object({
      form: z.literal('cluster'),
      version: z.int(),
      system: z.string(),
      base: content.extend({ id: z.string().regex(idPattern), moment: z.iso.datetime() }),
      wal: z.array(segment),
    }),
    /** A dump by pg_dump, of a database that Rookery does not run. */
    content.extend({ form: z.literal('dump'), version: z.int() }),
  ]),
  /** How far each organization's log had come just before the moment. */
  heads: z.array(z.object({ realm_id: z.int(), last_event_id: z.int(), stamp: z.string() })),
  files: content.extend({ count: z.int(), total_bytes: z.int() }),
  /** The settings of the server, without those that are secret. */
  settings: z.record(z.string(), z.string()),
})

export type BackupManifest = z.infer<typeof manifestSchema>
export type ClusterPart = Extract<BackupManifest['database'], { form: 'cluster' }>
export type LogHead = BackupManifest['heads'][number]

/** Returns the paths of the parts of backups in a folder. */
export function placesIn(folder: string) {
  return {
    folder,
    marker: join(folder, 'rookery-backups'),
    backups: join(folder, 'backups'),
    manifest: (id: string) => join(folder, 'backups', `${id}.json`),
    fileList: (id: string) => join(folder, 'backups', `${id}.files.gz`),
    bases: join(folder, 'bases'),
    base: (id: string) => join(folder, 'bases', `${id}.tar.gz`),
    dump: (id: string) => join(folder, 'bases', `${id}.dump`),
    wal: join(folder, 'wal'),
    segment: (name: string) => join(folder, 'wal', `${name}.gz`),
    files: join(folder, 'files'),
    file: (path: string) => join(folder, 'files', path),
  }
}

export type BackupFolder = ReturnType<typeof placesIn>

/**
 * Prepares a folder for backups. Throws one sentence if it holds something else: what no backup needs is removed there. The
 * marker stands before anything else, so a first backup that failed leaves a folder for the next one.
 */
export async function prepareFolder(places: BackupFolder): Promise<void> {
  const { folder, marker, backups, bases, wal, files } = places
  makeDirectories(folder, 0o700)
  const found = (await readdir(folder)).filter((name) => name !== 'lost+found')
  if (!found.includes(basename(marker))) {
    if (found.length > 0 && !(await hasBackup(places))) {
      throw new Error(`${folder} holds other files than backups: name an empty directory.`)
    }
    await writePrivate(marker, 'Rookery keeps backups in this directory, and removes other files from it.\n')
  }
  for (const part of [backups, bases, wal, files]) makeDirectories(part, 0o700)
}

async function hasBackup(places: BackupFolder): Promise<boolean> {
  const found = await readableIn(places, ignore).catch(() => [])
  return found.length > 0
}

/** Returns the names of the finished backups in a folder, the oldest first. */
export async function idsIn({ folder, backups }: BackupFolder): Promise<string[]> {
  const names = await readdir(backups).catch(() => {
    throw new Error(`${folder} holds no backups: name the directory into which rookery backup has written.`)
  })
  return names
    .filter((name) => name.endsWith('.json'))
    .map((name) => name.slice(0, -'.json'.length))
    .filter((id) => idPattern.test(id))
    .sort()
}

/** Returns a finished backup. Throws one sentence if it cannot be read. */
export async function manifestOf(places: BackupFolder, id: string): Promise<BackupManifest> {
  const file = places.manifest(id)
  const manifest = parse(await readFile(file, 'utf8'), file)
  if (manifest.id === id) return manifest
  throw new Error(`The backup in ${file} cannot be read: it is a copy of ${manifest.id}.`)
}

/** Returns the finished backups in a folder, the oldest first, without those that cannot be read, of which it tells. */
export async function readableIn(
  places: BackupFolder,
  tell: (sentence: string) => void,
): Promise<BackupManifest[]> {
  const found: BackupManifest[] = []
  for (const id of await idsIn(places)) {
    const manifest = await manifestOf(places, id).catch((error: Error) => void tell(error.message))
    if (manifest) found.push(manifest)
  }
  return found
}

export async function writeManifest(
  places: BackupFolder,
  manifest: Omit<BackupManifest, 'format' | 'format_version'>,
) {
  const whole: BackupManifest = { format: formatName, format_version: formatVersion, ...manifest }
  await writePrivate(places.manifest(manifest.id), `${JSON.stringify(whole, null, 2)}\n`)
  return whole
}

/**
 * Returns a name for a backup that begins now and comes after `last`. Names rise from backup to backup, also after a clock was
 * ahead and has been set back: the newest one is restored, and stays when older ones are removed.
 */
export function backupId(now: Date, last = ''): string {
  const id = idAt(now)
  if (last < id) return id
  const time = last.replace(/^(....)(..)(..)T(..)(..)(..)(...)Z$/, '$1-$2-$3T$4:$5:$6.$7Z')
  return idAt(new Date(Date.parse(time) + 1))
}

function idAt(time: Date): string {
  return time.toISOString().replace(/[-:.]/g, '')
}

function parse(text: string, file: string): BackupManifest {
  try {
    const given: unknown = JSON.parse(text)
    const { data } = z.object({ format: z.literal(formatName), format_version: z.int() }).safeParse(given)
    if (data && data.format_version > formatVersion) {
      throw new Error(`it has the format ${data.format_version}, of a newer version of Rookery`)
    }
    return manifestSchema.parse(given)
  } catch (error) {
    const reason =
      error instanceof z.ZodError ? z.prettifyError(error).split('\n')[0] : (error as Error).message
    throw new Error(`The backup in ${file} cannot be read: ${reason}.`, { cause: error })
  }
}
