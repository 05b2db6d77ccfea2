import type { Logger } from 'pino'
import { codeOf } from '../../lib/errors.ts'
import { guard, ignore } from '../../lib/guard.ts'
import { endingSignals } from '../signals.ts'

/** How long a stop may take in all: the last answers, mails under way, our own PostgreSQL. */
const stopSeconds = 45

/** `end` stops the process as the first signal does; `forget` removes all listeners. */
type Life = { end(status: number): void; forget(): void }

/**
 * Ends the process in order: on the first signal, or after an uncaught error, since its state is then unknown. A second
 * signal ends it immediately, as does a stop that takes too long. A worker leaves signals to its primary, as a terminal
 * sends them to both.
 */
export function endInOrder(logger: Logger, stop: () => Promise<void>, isWorker = false): Life {
  let isStopping = false
  const end = (status: number) => {
    if (isStopping) return
    isStopping = true
    const late = guard(ignore, () => {
      logger.fatal(`the server did not stop within ${stopSeconds} seconds, and is ended`)
      process.exit(1)
    })
    setTimeout(late, stopSeconds * 1000).unref()
    stop().then(
      () => process.exit(status),
      (error) => {
        logger.error({ err: error }, 'the server did not stop cleanly')
        process.exit(1)
      },
    )
  }
  const onSignal = guard(ignore, (signal: NodeJS.Signals) => {
    if (isWorker) return
    // A shell that ends with its terminal sends the second one.
    if (isStopping && signal === 'SIGHUP') return
    if (isStopping) process.exit(1)
    logger.info(`stopping on ${signal}`)
    end(0)
  })
  const onException = guard(ignore, (error: unknown) => {
    if (isOfConnection(error)) {
      logger.error({ err: error }, 'an error of a connection was not handled: the server goes on')
      return
    }
    logger.fatal({ err: error }, 'an error was not handled: the server stops, to be started again')
    end(1)
  })
  // A rejected promise without a handler has no caller that waits for it, so the rest of the server can continue.
  const onRejection = guard(ignore, (error: unknown) => {
    logger.error({ err: error }, 'a promise that failed was not handled: the server goes on')
  })
  for (const name of endingSignals) process.on(name, onSignal)
  process.on('uncaughtException', onException).on('unhandledRejection', onRejection)
  const forget = () => {
    for (const name of endingSignals) process.off(name, onSignal)
    process.off('uncaughtException', onException).off('unhandledRejection', onRejection)
  }
  return { end, forget }
}

/**
 * Returns the function that stops what was started. `signal` aborts when the process is told to end: a start that is still waiting
 * for another process then rejects.
 */
type Start = (signal: AbortSignal) => Promise<() => Promise<void>>

/**
 * Starts a server, which runs until the process is told to end; see endInOrder. Throws what `start` throws, and then
 * leaves signals alone.
 */
export async function runUntilStopped(logger: Logger, start: Start) {
  const ending = new AbortController()
  const starting = start(ending.signal)
  const { forget } = endInOrder(logger, async () => {
    ending.abort()
    const stop = await starting.catch(() => undefined)
    await stop?.()
  })
  await starting.catch((error) => {
    if (ending.signal.aborted && codeOf(error) === 'ABORT_ERR') return
    forget()
    throw error
  })
}

const ofConnections =
  /^(ECONNRESET|ECONNREFUSED|ECONNABORTED|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ERR_STREAM_PREMATURE_CLOSE|ERR_STREAM_DESTROYED|ERR_STREAM_WRITE_AFTER_END)$/

/** Whether an error only says that the other end of a connection has gone. It comes from Node, between two steps of ours. */
function isOfConnection(error: unknown): boolean {
  return error instanceof Error && ofConnections.test(codeOf(error) ?? '')
}
