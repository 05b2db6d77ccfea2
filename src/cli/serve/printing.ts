import type { Logger } from 'pino'
import { guard, ignore } from '../../lib/guard.ts'

/**
 * Routes console output to the log. The output of a server is its log, so no library may print beside it: its text may
 * contain the words of a user. The log says, once for each place in the code, that a library printed there; it also has
 * Node's own warnings.
 */
export function logInsteadOfPrinting(logger: Logger) {
  const known = new Set<string>()
  const report = () => {
    const place = new Error().stack?.split('\n')[2]?.trim() ?? 'unknown'
    if (known.has(place)) return
    known.add(place)
    logger.warn({ place }, 'a library wanted to print')
  }
  for (const [name, value] of Object.entries(console)) {
    if (typeof value === 'function') Object.assign(console, { [name]: report })
  }
  // Node's own listener prints.
  process.removeAllListeners('warning')
  const onWarning = guard(ignore, (warning: Error) => logger.warn({ err: warning }, 'warning'))
  process.on('warning', onWarning)
}
