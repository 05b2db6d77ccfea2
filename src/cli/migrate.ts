import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Config } from '../config/config.ts'
import { type Applied, checkIsNotNewer, migrate, migrationGap, tryMigrations } from '../db/migrate.ts'
import { cliCommand } from './command.ts'
import { reachDatabase, withClient } from './database.ts'
import { remark, say } from './output.ts'

export const migrateCommand = cliCommand('migrate', {
  summary: 'bring the database up to date, as the start of the server does, or try it on a copy',
  options: {
    'dry-run': {
      help: 'change nothing: say which migrations there would be, and how long each took on a copy',
    },
    at: { value: 'DIRECTORY', help: 'where there is room for the copy (default: the temporary files)' },
  },
  details: `The database that comes along is copied, also while a server runs on it, and the copy is removed afterwards. In a database
elsewhere, the migrations are tried in one transaction that is rolled back: its servers wait meanwhile.`,
  async run(config, _args, options) {
    const database = await reachDatabase(config, remark)
    try {
      const { missing, unknown } = await withClient(database.url, migrationGap)
      checkIsNotNewer(unknown)
      const applied: Applied[] = []
      const tell = (one: Applied) => {
        applied.push(one)
        say(`${one.name}  ${one.milliseconds} ms`)
      }
      const outcome = (text: string) => ({
        text,
        data: { migrations: applied, is_trial: options['dry-run'] },
      })
      if (missing.length === 0) return outcome('The database is up to date.')
      if (!options['dry-run']) {
        await migrate(database.url, tell)
        return outcome('The database is up to date now.')
      }
      if (config.databaseUrl !== undefined) await tryMigrations(database.url, tell)
      else await tryOnCopy(config, database.url, options.at ?? tmpdir(), tell)
      const works = missing.length === 1 ? 'The migration works' : `All ${missing.length} migrations work`
      return outcome(`${works}. Nothing has changed.`)
    } finally {
      await database.close()
    }
  },
})

async function tryOnCopy(config: Config, url: string, parent: string, tell: (one: Applied) => void) {
  const directory = await mkdtemp(join(parent, 'rookery-migrate-'))
  try {
    const { copyCluster } = await import('./backup/copy-database.ts')
    const { copyOf } = await import('./backup/choose.ts')
    const { placesIn } = await import('./backup/manifest.ts')
    const { restoreCluster } = await import('../postgres/cluster-restore.ts')
    const places = placesIn(join(directory, 'backup'))
    const task = { config, places, id: 'trial', isTrial: true } as const
    const { database } = await withClient(url, (client) => copyCluster({ ...task, client }, undefined))
    if (database.form !== 'cluster') return
    await restoreCluster(directory, copyOf(places, database, undefined), remark, async (copy) => {
      await migrate(copy, tell)
    })
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
}
