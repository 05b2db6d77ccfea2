import { setTimeout as sleep } from 'node:timers/promises'

/** Waits for something, but not longer than this; it goes on unattended. */
export async function withTimeout(seconds: number, work: Promise<unknown>): Promise<void> {
  await Promise.race([work, sleep(seconds * 1000, undefined, { ref: false })])
}
