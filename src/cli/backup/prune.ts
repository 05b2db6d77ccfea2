import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { readFileList } from './file-list.ts'
import { type BackupFolder, type BackupManifest, manifestsIn } from './manifest.ts'

/**
 * Removes backups but for the newest full ones and what builds on them, and then what no remaining backup needs. Returns how
 * many backups it has removed.
 */
export async function pruneBackups(places: BackupFolder, keep: number): Promise<number> {
  const all = await manifestsIn(places)
  const bases = [...new Set(all.map(baseOf))].slice(-keep)
  const [kept, old] = [
    all.filter((one) => bases.includes(baseOf(one))),
    all.filter((one) => !bases.includes(baseOf(one))),
  ]
  if (old.length === 0) return 0
  // First the manifests: a backup whose parts are being removed is none.
  for (const { id } of old) await rm(places.manifest(id))
  for (const { id } of old) await rm(places.fileList(id), { force: true })
  const needed = new Set(
    kept.flatMap(({ database }) => (database.form === 'cluster' ? segmentsOf(database.wal) : [])),
  )
  await removeOthers(places.wal, needed)
  await removeOthers(places.bases, new Set(bases.flatMap((id) => [`${id}.tar.gz`, `${id}.dump`])))
  const files = new Set<string>()
  for (const { id } of kept) for (const path of (await readFileList(places, id)).keys()) files.add(path)
  for (const path of await readdir(places.files, { recursive: true, withFileTypes: true }).catch(() => [])) {
    const file = join(path.parentPath, path.name)
    if (path.isFile() && !files.has(file.slice(places.files.length + 1))) await rm(file)
  }
  return old.length
}

function baseOf({ id, database }: BackupManifest): string {
  return database.form === 'cluster' ? database.base.id : id
}

function segmentsOf(wal: { name: string }[]): string[] {
  return wal.map(({ name }) => `${name}.gz`)
}

async function removeOthers(folder: string, needed: Set<string>) {
  for (const name of await readdir(folder).catch(() => [])) {
    if (!needed.has(name)) await rm(join(folder, name))
  }
}
