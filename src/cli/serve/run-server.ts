import type { Logger } from 'pino'
import { checkSignOn } from '../../adapters/sign-on/configured-sign-on.ts'
import type { Config } from '../../config/config.ts'
import { openFilesAllowed } from '../../lib/files/open-files.ts'
import { sentenceOf } from '../database/database-faults.ts'
import { openFilesFault } from '../open-files.ts'
import { checkDatabaseIsNamed } from '../server-settings.ts'
import { withForeignFile } from './file-owners.ts'
import { runUntilStopped } from './life.ts'
import { logInsteadOfPrinting } from './printing.ts'
import { serverLog } from './server-log.ts'

/**
 * Runs a server, which logs to stdout, until it is told to stop. `start` starts it, once its settings are checked, and
 * returns the function that stops it; a start that waits ends when `signal` aborts. Throws one sentence if the settings cannot work.
 */
export async function runServer(
  config: Config,
  start: (logger: Logger, signal: AbortSignal) => Promise<() => Promise<void>>,
) {
  const logger = serverLog({ level: config.logLevel })
  logInsteadOfPrinting(logger)
  const few = openFilesFault(openFilesAllowed())
  if (few) logger.warn(sentenceOf(few))
  await runUntilStopped(logger, async (signal) => {
    await checkDatabaseIsNamed(config)
    await checkSignOn(config)
    return start(logger, signal).catch(async (error) => {
      throw await withForeignFile(error, config.dataDirectory)
    })
  })
}
