import { setImmediate as turn } from 'node:timers/promises'
import { expect, onTestFinished, vi } from 'vitest'

/** Holds up the later steps, and nothing else. Returns what makes all that are due. */
export function holdSteps() {
  vi.useFakeTimers({ toFake: ['setImmediate'] })
  onTestFinished(() => void vi.useRealTimers())
  return () => vi.advanceTimersByTime(1_000)
}

/** Waits. `expect.poll` would make the steps that a test holds up. */
export async function until(isSo: () => boolean) {
  for (const end = Date.now() + 20_000; !isSo(); await turn()) {
    if (Date.now() > end) expect.fail('It does not come to that.')
  }
}
