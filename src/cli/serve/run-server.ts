import type { Logger } from 'pino'
import { checkSignOn } from '../../adapters/sign-on/configured-sign-on.ts'
import type { Config } from '../../config/config.ts'
import { checkDatabaseIsNamed } from '../server-settings.ts'
import { runUntilStopped } from './life.ts'
import { logInsteadOfPrinting } from './printing.ts'
import { serverLog } from './server-log.ts'

/**
 * Runs a server, which logs to stdout, until it is told to stop. `start` starts it, once its settings are checked, and
 * returns the function that stops it. Throws one sentence if the settings cannot work.
 */
export async function runServer(config: Config, start: (logger: Logger) => Promise<() => Promise<void>>) {
  const logger = serverLog({ level: config.logLevel })
  logInsteadOfPrinting(logger)
  await runUntilStopped(logger, async () => {
    await checkDatabaseIsNamed(config)
    await checkSignOn(config)
    return start(logger)
  })
}
