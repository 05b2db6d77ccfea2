import { join } from 'node:path'
import type { Config } from '../../config/config.ts'
import { allUrls } from '../../db/databases.ts'
import { type Applied, checkIsNotNewer, migrate, migrationGap, tryMigrations } from '../../db/migrate.ts'
import { cliCommand } from '../command.ts'
import { remark, say } from '../output.ts'
import { inTemporaryDirectory } from '../temporary-directory.ts'
import { reachDatabase } from './database.ts'
import { withClient } from './with-client.ts'

export const migrateCommand = cliCommand('migrate', {
  summary: 'bring the database up to date, as the start of the server does, or try it on a copy',
  options: {
    'dry-run': {
      help: 'change nothing: say which migrations there would be, and how long each took on a copy',
    },
    at: { value: 'DIRECTORY', help: 'where there is room for the copy (default: the temporary files)' },
  },
  details: `The bundled database is copied, also while a server runs on it, and the copy is removed afterwards. In a database
elsewhere, the migrations are tried in one transaction that is rolled back: its servers wait meanwhile.`,
  async run(config, _args, options) {
    const database = await reachDatabase(config, remark)
    try {
      const urls = allUrls({ ...config, databaseUrl: database.url })
      const outdated = await outdatedIn(urls)
      const applied: Applied[] = []
      const tell = (one: Applied) => {
        applied.push(one)
        say(`${one.name}  ${one.milliseconds} ms`)
      }
      const outcome = (text: string) => ({
        text,
        data: { migrations: applied, is_trial: options['dry-run'] },
      })
      if (outdated.length === 0) return outcome('The database is up to date.')
      if (!options['dry-run']) {
        for (const url of outdated) await migrate(url, tell)
        return outcome('The database is up to date now.')
      }
      for (const url of outdated) {
        const isOwn = config.databaseUrl === undefined && url === database.url
        await (isOwn ? tryOnCopy(config, url, options.at, tell) : tryMigrations(url, tell))
      }
      const works = applied.length === 1 ? 'The migration works' : `All ${applied.length} migrations work`
      return outcome(`${works}. Nothing has changed.`)
    } finally {
      await database.close()
    }
  },
})

/** Returns the URLs of the databases that lack migrations. */
async function outdatedIn(urls: ReadonlyMap<string, string>): Promise<string[]> {
  const outdated: string[] = []
  for (const url of urls.values()) {
    const { missing, unknown } = await withClient(url, migrationGap)
    checkIsNotNewer(unknown)
    if (missing.length > 0) outdated.push(url)
  }
  return outdated
}

function tryOnCopy(
  config: Config,
  url: string,
  parent: string | undefined,
  tell: (one: Applied) => void,
): Promise<void> {
  return inTemporaryDirectory(parent, 'rookery-migrate-', async (directory) => {
    const { copyCluster } = await import('../backup/copy-database.ts')
    const { copyOf } = await import('../backup/choose.ts')
    const { placesIn } = await import('../backup/manifest.ts')
    const { restoreCluster } = await import('../../postgres/cluster-restore.ts')
    const places = placesIn(join(directory, 'backup'))
    const task = { config, places, id: 'trial', isTrial: true } as const
    const { database } = await withClient(url, (client) => copyCluster({ ...task, client }, undefined))
    if (database.form !== 'cluster') return
    await restoreCluster(directory, copyOf(places, database, undefined), remark, async (copy) => {
      await migrate(copy, tell)
    })
  })
}
