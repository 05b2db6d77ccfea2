import type { Logger } from 'pino'
import { codeOf } from '../../lib/errors.ts'
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
  const onWarning = guard(ignore, (warning: Error) => logWarning(logger, warning))
  process.on('warning', onWarning)
}

/** A warning of our own is a sentence. One of Node or of a library has a code or a name, and an error has another one. */
function logWarning(logger: Logger, warning: Error) {
  if (warning.name === 'Warning' && codeOf(warning) === undefined) return logger.warn(warning.message)
  const isWarning = warning.name.endsWith('Warning')
  logger.warn({ err: warning }, isWarning ? 'Node.js warning' : 'work in the background failed')
}
