import type { FileStore } from '../adapters/files/file-store.ts'
import { removeAll } from '../adapters/files/remove-all.ts'
import type { Config } from '../config/config.ts'
import { compareFiles } from '../features/clients/stored-files/compare.ts'
import { RealmDatabase } from '../log/realm-database.ts'
import type { Realms } from '../log/realms.ts'
import { cliCommand, UsageError } from './command.ts'
import { withRealms } from './context.ts'
import { joinDatabase } from './database/database.ts'
import { withoutBackup } from './database/without-backup.ts'
import { exitCodes } from './exit-codes.ts'
import { bucketFiles, configuredFiles, directoryFiles, directoryOf, storeName } from './files.ts'
import { allRealms, whileNoneIsMade } from './organizations/realm.ts'
import { remark } from './output.ts'

const check = cliCommand('files check', {
  summary:
    'compare the file store with what the database knows: files that are missing, and files that nobody knows of',
  options: {
    'remove-unrecorded': { help: 'remove the files that nobody knows of' },
    'remove-orphaned': {
      help: 'remove the files of organizations that the database does not have: an import or a deletion was killed',
    },
  },
  details: `Remove files only if no other database uses the store, and if you do not mean to restore a newer copy of this one:
what came after the restored copy is unknown to it.`,
  async run(config, _args, options) {
    const removes = options['remove-unrecorded']
    return withRealms(config, async (realms) => {
      const orphaned = await (options['remove-orphaned'] ? removeOrphaned : orphanedFiles)(config, realms)
      const organizations = await (removes ? checkAndRemove : checkAll)(config, realms)
      const isComplete = organizations.every(({ missing }) => missing.length === 0)
      return {
        text: [
          ...organizations.flatMap((one) => linesOf(one, removes)),
          ...orphaned.map((one) => lineOfOrphaned(one, options['remove-orphaned'])),
        ].join('\n'),
        data: { organizations, removed: removes, deleted: orphaned },
        ...(!isComplete && {
          exitCode: exitCodes.failed,
          problem: `Files are missing in ${storeName(config)}.`,
        }),
      }
    })
  },
})

const move = cliCommand('files move', {
  summary:
    'move the files of all organizations into the bucket, or copy them out of it into the data directory',
  arguments: ['STORE'],
  details: `STORE is bucket or directory. ROOKERY_S3_BUCKET must name the bucket in both directions.

To go over to a bucket: set ROOKERY_S3_BUCKET, start the server, then run rookery files move bucket. What has arrived in
the bucket is removed from the data directory. If the command is interrupted, run it again.

To leave the bucket: run rookery files move directory, stop the server, run it again for what has come meanwhile, unset
ROOKERY_S3_BUCKET, and start the server. The files stay in the bucket, too.`,
  async run(config, { STORE: store }) {
    if (store !== 'bucket' && store !== 'directory')
      throw new UsageError(`There is no store ${store}: it is bucket or directory.`)
    const [directory, bucket] = [directoryFiles(config), bucketFiles(config)]
    const [from, to] = store === 'bucket' ? [directory, bucket] : [bucket, directory]
    const { moved, known } = await moveAll(from, to, { removes: store === 'bucket' })
    const target = store === 'bucket' ? storeName(config) : directoryOf(config)
    const done = `${moved} files are now in ${target}${known > 0 ? `; ${known} had been there already` : ''}.`
    const data = { store, moved, known }
    if (store === 'bucket') return { text: done, data }
    const advice = 'The server uses the bucket until ROOKERY_S3_BUCKET is unset and it is started again.'
    return { text: `${done}\n${advice}`, data }
  },
})

export const fileCommands = [check, move]

type Checked = { name: string; expected: number; missing: string[]; unrecorded: string[] }

/** Compares the files of each organization with its rows, and removes those that no row names. */
async function checkAndRemove(config: Config, realms: Realms): Promise<Checked[]> {
  const database = await joinDatabase(config, remark)
  return withoutBackup(database.url, () => checkAll(config, realms, true)).finally(() => database.close())
}

/** Compares the files of each organization. */
async function checkAll(config: Config, realms: Realms, removes = false): Promise<Checked[]> {
  const files = configuredFiles(config)
  const checked: Checked[] = []
  for (const { id, name } of await allRealms(realms)) {
    const database = await RealmDatabase.find(realms.places, id)
    const { expected, missing, unrecorded } = await database.whereOpen((read) =>
      compareFiles(read, files, id),
    )
    for (const path of removes ? unrecorded : []) await files.remove(path)
    checked.push({ name, expected, missing, unrecorded })
  }
  return checked
}

type Orphaned = { id: number; files: number }

/** Removes the files of organizations that the database does not have, and counts them. */
async function removeOrphaned(config: Config, realms: Realms): Promise<Orphaned[]> {
  const database = await joinDatabase(config, remark)
  const remove = async () => {
    const orphaned = await orphanedFiles(config, realms)
    for (const { id } of orphaned) await removeAll(configuredFiles(config), `${id}/`)
    return orphaned
  }
  return whileNoneIsMade(database.url, () => withoutBackup(database.url, remove)).finally(() =>
    database.close(),
  )
}

/** Counts the files of organizations that the database does not have. */
async function orphanedFiles(config: Config, realms: Realms): Promise<Orphaned[]> {
  const counts = new Map<number, number>()
  for await (const path of configuredFiles(config).list('')) {
    const [id = ''] = path.split('/')
    if (/^\d+$/.test(id)) counts.set(Number(id), (counts.get(Number(id)) ?? 0) + 1)
  }
  // Later than the listing, so an organization that was created meanwhile is among them.
  for (const { id } of await allRealms(realms)) counts.delete(id)
  return [...counts].map(([id, files]) => ({ id, files }))
}

function lineOfOrphaned({ id, files }: Orphaned, removed: boolean): string {
  const which = `${files} files of an organization that the database does not have`
  return removed
    ? `${id}/ had ${which}: they are removed.`
    : `${id}/ has ${which}. Unless an import is running, remove them with --remove-orphaned.`
}

function linesOf({ name, expected, missing, unrecorded }: Checked, removes: boolean): string[] {
  return [
    `${name}: ${expected} files, ${missing.length} missing, ${unrecorded.length} that nobody knows of.`,
    ...missing.map((path) => `missing    ${path}`),
    ...unrecorded.map((path) => `${removes ? 'removed ' : 'unknown '}   ${path}`),
  ]
}

/**
 * Moves each file separately, so that an interruption leaves every file in at least one of the stores. It lists them until
 * it finds no more: a listing need not have what a server stores meanwhile, nor all of a directory from which files are
 * being removed.
 */
async function moveAll(from: FileStore, to: FileStore, { removes }: { removes: boolean }) {
  const outcomes = { moved: 0, known: 0, gone: 0 }
  const seen = new Set<string>()
  for (let before = -1; before < seen.size; ) {
    before = seen.size
    for await (const path of from.list('')) {
      if (seen.has(path)) continue
      seen.add(path)
      outcomes[await moveOne(from, to, path)] += 1
      if (removes) await from.remove(path)
    }
  }
  // The server that received files in this store may no longer run to remove what it did not finish.
  if (removes) await from.tidy()
  return outcomes
}

async function moveOne(from: FileStore, to: FileStore, path: string): Promise<'moved' | 'known' | 'gone'> {
  const source = await from.open(path)
  // The file has been deleted meanwhile.
  if (!source) return 'gone'
  if ((await sizeIn(to, path)) === source.size) {
    source.content.destroy()
    return 'known'
  }
  await to.put(path, source.content)
  return 'moved'
}

async function sizeIn(store: FileStore, path: string): Promise<number | undefined> {
  const found = await store.open(path, { start: 0, end: 0 })
  found?.content.destroy()
  return found?.size
}
