import { constants } from 'node:os'
import { guard, ignore } from '../lib/guard.ts'

/** The signals that end a server or a command. SIGHUP comes when the terminal closes. */
export const endingSignals = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const

/**
 * Does the work of a command. A signal ends the process as `process.exit` does, which also stops a PostgreSQL that the command has
 * started.
 */
export async function untilSignal<T>(work: () => Promise<T>): Promise<T> {
  const leave = guard(ignore, (name: (typeof endingSignals)[number]) =>
    process.exit(128 + constants.signals[name]),
  )
  for (const name of endingSignals) process.on(name, leave)
  try {
    return await work()
  } finally {
    for (const name of endingSignals) process.off(name, leave)
  }
}
