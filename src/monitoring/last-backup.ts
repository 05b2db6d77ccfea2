import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isObject } from '../lib/is-object.ts'
import { jsonIn } from '../lib/json.ts'

/** A complete backup: when it was, in seconds since 1970, and how it was made. */
type LastBackup = { finishedAt: number; kind: string }

/** The file in the data directory in which `rookery backup` notes the backup. */
const backupNote = 'backup.json'

/** Returns the last backup; undefined if none was noted. Throws if the note cannot be read. */
export async function lastBackup(dataDirectory: string): Promise<LastBackup | undefined> {
  const file = join(dataDirectory, backupNote)
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return undefined
    throw error
  })
  if (text === undefined) return undefined
  const note = jsonIn(text)
  const finishedAt = isObject(note) ? Date.parse(String(note.finished_at)) / 1000 : Number.NaN
  if (!isObject(note) || Number.isNaN(finishedAt)) throw new Error(`${file} is damaged`)
  return { finishedAt, kind: kindOf(note.kind) }
}

/** A label of a metric: short, and of few kinds. */
function kindOf(kind: unknown): string {
  return typeof kind === 'string' && /^[\w-]{1,20}$/.test(kind) ? kind : 'unknown'
}
