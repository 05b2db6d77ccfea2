import { guard } from '../guard.ts'

/** Work that is repeated. */
export type Repeated = {
  /** Begins a round immediately, unless one is under way. */
  now(): void
  /** Runs a round that begins after this call, and resolves when it is over. */
  round(): Promise<void>
  /** Begins no more rounds, signals the one under way to stop, and waits for it. */
  close(): Promise<void>
}

/**
 * Does the work every `seconds`, one round at a time. A round that is due while another is under way is skipped.
 * `report` receives what a round throws. The timer does not keep the process alive.
 */
export function repeatEvery(
  seconds: number,
  work: (stopping: AbortSignal) => Promise<unknown>,
  report: (error: unknown) => void = () => {},
): Repeated {
  const stopping = new AbortController()
  let round: Promise<unknown> | undefined
  const now = () => {
    if (stopping.signal.aborted) return
    round ??= work(stopping.signal)
      .catch(report)
      .finally(() => {
        round = undefined
      })
  }
  const timer = setInterval(guard(report, now), seconds * 1000).unref()
  return {
    now,
    async round() {
      await round
      now()
      await round
    },
    async close() {
      clearInterval(timer)
      stopping.abort()
      await round
    },
  }
}
