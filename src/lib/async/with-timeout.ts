import { setTimeout as sleep } from 'node:timers/promises'

/** Waits for the work, but at most this long; the work itself continues. */
export async function withTimeout(seconds: number, work: Promise<unknown>): Promise<void> {
  await Promise.race([work, sleep(seconds * 1000, undefined, { ref: false })])
}
