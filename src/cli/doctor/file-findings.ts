import { sql } from 'kysely'
import type { Logger } from 'pino'
import type { Config } from '../../config/config.ts'
import type { Reader } from '../../db/database.ts'
import { missingOf, sampleQuery } from '../../features/clients/stored-files/sample-files.ts'
import { messageOf } from '../../lib/errors.ts'
import { firstIn } from '../../lib/must.ts'
import { configuredFiles, directoryFiles, directoryOf, storeName } from '../files.ts'
import type { Finding } from './checks.ts'

type Ask = (query: string) => Promise<{ path: string | null }[]>

/**
 * Checks whether uploads are where the settings say: after another store was chosen, the earlier ones stay in the one
 * before.
 */
export async function* examineFiles(config: Config, ask: Ask): AsyncGenerator<Finding> {
  if (config.s3Bucket !== undefined && (await hasAny(config))) {
    yield {
      level: 'warn',
      what: `${directoryOf(config)} holds files that nobody can open, as uploads are in the bucket ${config.s3Bucket}`,
      advice: 'Move them there with: rookery files move bucket',
    }
  }
  // There are none before the first start, nor before the database is brought up to date.
  const table = firstIn(await ask(`SELECT to_regclass('attachment')::text AS path`))
  if (table.path === null) return
  const uploads = (await ask(sampleQuery)).flatMap(({ path }) => path ?? [])
  if (uploads.length === 0) return
  const missing = await missingOf(configuredFiles(config), uploads)
  const looked = `${uploads.length} uploads looked at`
  if (missing.length === 0) {
    yield { level: 'ok', what: `${storeName(config)} has the files of all ${looked}` }
    return
  }
  yield {
    level: 'FAIL',
    what: `${missing.length} of ${looked} are not in ${storeName(config)}, ${missing[0]} for one`,
    advice:
      'If they are in another store, move them with rookery files move; rookery files check names all that are missing.',
  }
}

/** Logs a warning if uploads are not where the settings say. It delays nothing: a server that is `stopping` ends its reading. */
export async function warnOfFiles(config: Config, read: Reader, logger: Logger, stopping: AbortSignal) {
  const ask = (query: string) => read.rows<{ path: string | null }>(sql.raw(query))
  try {
    for await (const { level, what, advice } of examineFiles(config, ask)) {
      if (level !== 'ok') logger.warn(`${what}. ${advice}`)
    }
  } catch (error) {
    if (!stopping.aborted) logger.warn(`${storeName(config)} cannot be read: ${messageOf(error)}`)
  }
}

async function hasAny(config: Config): Promise<boolean> {
  for await (const _ of directoryFiles(config).list('')) return true
  return false
}
