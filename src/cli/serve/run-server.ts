import type { Logger } from 'pino'
import { checkSignOn } from '../../adapters/sign-on/configured-sign-on.ts'
import type { Config } from '../../config/config.ts'
import { openFilesAllowed } from '../../lib/open-files.ts'
import { sentenceOf } from '../database-faults.ts'
import { openFilesFault } from '../open-files.ts'
import { checkDatabaseIsNamed } from '../server-settings.ts'
import { withForeignFile } from './file-owners.ts'
import { runUntilStopped, type Start } from './life.ts'
import { logInsteadOfPrinting } from './printing.ts'
import { serverLog } from './server-log.ts'

/**
 * Runs a server, which logs to stdout, until it is told to stop. `starter` returns what starts it, once its settings are
 * checked. Throws one sentence if the settings cannot work.
 */
export async function runServer(config: Config, starter: (logger: Logger) => Start) {
  const logger = serverLog({ level: config.logLevel })
  logInsteadOfPrinting(logger)
  const few = openFilesFault(openFilesAllowed())
  if (few) logger.warn(sentenceOf(few))
  await runUntilStopped(logger, async (signal) => {
    await checkDatabaseIsNamed(config)
    await checkSignOn(config)
    return starter(logger)(signal).catch(async (error) => {
      throw await withForeignFile(error, config.dataDirectory)
    })
  })
}
