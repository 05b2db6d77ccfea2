import type { Logger } from 'pino'
import type { Component } from '../../lib/component.ts'
import { messageOf } from '../../lib/errors.ts'
import { ignore } from '../../lib/guard.ts'
import { libLimits } from '../../lib/limits.ts'
import type { LineWatcher } from './node-notifier.ts'

type Options = {
  /** Counts each failed try. */
  failed?: ((component: Component) => void) | undefined
  /** In seconds. */
  now?: () => number
}

/**
 * Logs that nodes cannot notify each other: first, once a minute while that lasts, and when it is over. `natsUrl`: they use NATS,
 * not the database.
 */
export function watchLine(
  logger: Pick<Logger, 'info' | 'warn'>,
  natsUrl: string | undefined,
  { failed = ignore, now = uptime }: Options = {},
): LineWatcher {
  const component = natsUrl === undefined ? 'database' : 'NATS'
  let loggedAt = Number.NEGATIVE_INFINITY
  let isTold = false
  let times = 0
  return {
    lost(error) {
      failed(component)
      times++
      if (now() - loggedAt < libLimits.failureSilenceSeconds) return
      const what = 'nodes cannot wake each other, and hear of changes late'
      logger.warn({ component, times }, `${what}: ${messageOf(error)}`)
      loggedAt = now()
      isTold = true
      times = 0
    },
    back() {
      if (isTold) logger.info({ component }, 'nodes wake each other again')
      isTold = false
    },
  }
}

function uptime(): number {
  return performance.now() / 1000
}
