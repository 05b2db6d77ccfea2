import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { ignore } from '../../lib/guard.ts'
import { readFileList } from './file-list.ts'
import { type BackupFolder, type BackupManifest, idsIn, readableIn } from './manifest.ts'

type Tell = (sentence: string) => void

/**
 * Removes backups, except for the newest `keep` full ones and those that build on them, and then the parts that no
 * remaining backup needs. Returns how many backups it removed. It reports each backup that cannot be read. Unless such
 * a backup is older than all that stay, the parts that it may need stay as well.
 */
export async function pruneBackups(places: BackupFolder, keep: number, tell: Tell): Promise<number> {
  const all = await readableIn(places, tell)
  const bases = [...new Set(all.map(baseOf))].slice(-keep)
  const [kept, readableOld] = [
    all.filter((one) => bases.includes(baseOf(one))),
    all.filter((one) => !bases.includes(baseOf(one))).map(({ id }) => id),
  ]
  const damaged = (await idsIn(places)).filter((id) => !all.some((one) => one.id === id))
  // A backup builds on older ones only.
  const [oldest = ''] = bases
  const old = [...readableOld, ...damaged.filter((id) => id < oldest)]
  if (old.length === 0) return 0
  // Remove the manifests first: a backup whose parts are incomplete must not count as one.
  for (const id of old) await rm(places.manifest(id))
  for (const id of old) await rm(places.fileList(id), { force: true })
  if (damaged.some((id) => id > oldest)) {
    tell('What they have copied stays, as the backup that cannot be read may need it.')
    return old.length
  }
  await removeUnneeded(places, kept, bases, tell)
  return old.length
}

/**
 * Removes what interrupted backups left: unfinished files, and whole copies that belong to no backup. A backup that
 * cannot be read may need one of those copies.
 */
export async function removeInterrupted(places: BackupFolder): Promise<void> {
  for (const folder of [places.bases, places.wal]) {
    for (const name of await readdir(folder)) if (name.endsWith('.unfinished')) await rm(join(folder, name))
  }
  const all = await readableIn(places, ignore)
  if (all.length === (await idsIn(places)).length) await removeOthers(places.bases, copiesOf(all.map(baseOf)))
}

/** Removes the parts that none of these backups needs. */
async function removeUnneeded(places: BackupFolder, kept: BackupManifest[], bases: string[], tell: Tell) {
  const needed = new Set(
    kept.flatMap(({ database }) => (database.form === 'cluster' ? segmentsOf(database.wal) : [])),
  )
  await removeOthers(places.wal, needed)
  await removeOthers(places.bases, copiesOf(bases))
  const files = await filesOf(places, kept).catch((error: Error) => {
    tell(`${error.message} No copied file was removed.`)
    return undefined
  })
  if (!files) return
  for (const path of await readdir(places.files, { recursive: true, withFileTypes: true }).catch(() => [])) {
    const file = join(path.parentPath, path.name)
    if (path.isFile() && !files.has(file.slice(places.files.length + 1))) await rm(file)
  }
}

async function filesOf(places: BackupFolder, kept: BackupManifest[]): Promise<Set<string>> {
  const files = new Set<string>()
  for (const { id } of kept) for (const path of (await readFileList(places, id)).keys()) files.add(path)
  return files
}

function baseOf({ id, database }: BackupManifest): string {
  return database.form === 'cluster' ? database.base.id : id
}

function copiesOf(bases: string[]): Set<string> {
  return new Set(bases.flatMap((id) => [`${id}.tar.gz`, `${id}.dump`]))
}

function segmentsOf(wal: { name: string }[]): string[] {
  return wal.map(({ name }) => `${name}.gz`)
}

async function removeOthers(folder: string, needed: Set<string>) {
  for (const name of await readdir(folder).catch(() => [])) {
    if (!needed.has(name)) await rm(join(folder, name))
  }
}
