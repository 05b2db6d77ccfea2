import { guard } from './guard.ts'

/** Work that is done again and again. */
export type Repeated = {
  /** Begins a round at once, unless one is under way. */
  now(): void
  /** Does a round that begins from now on, and returns when it is over. */
  round(): Promise<void>
  /** Begins no more rounds, tells the one under way to stop, and waits for it. */
  close(): Promise<void>
}

/**
 * Does the work every so many seconds, one round at a time: one that is due while another is under way is left out.
 * `report` hears what a round throws. It keeps no process alive.
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
