import { expect, vi } from 'vitest'
import type { RealmLog } from '../src/log/realm-log.ts'
import { withResolvers } from './with-resolvers.ts'

/** A line of writes that stands still: requests are checked, and then wait in the order in which they came. */
type HeldWrites = {
  /** Sends a request, and resolves when its write waits. The answer comes after the release. Callers have one write in line each. */
  add<T>(request: () => Promise<T>): Promise<{ answer: Promise<T> }>
  /** Lets them go on, and waits for all answers. */
  release(): Promise<void>
}

/** Holds up the writes of an organization, so that a test says what others change between a request's check and its write. */
export async function holdWrites(log: RealmLog): Promise<HeldWrites> {
  const [begun, held] = [withResolvers(), withResolvers()]
  const holding = log.commit(async () => {
    begun.resolve()
    await held.promise
  })
  await begun.promise
  const waits = [vi.spyOn(log, 'commitIn'), vi.spyOn(log, 'commitInGroup')]
  const waiting = () => waits.reduce((sum, { mock }) => sum + mock.calls.length, 0)
  const answers: Promise<unknown>[] = []
  return {
    async add(request) {
      const before = waiting()
      const answer = request()
      answers.push(answer)
      await expect.poll(waiting).toBe(before + 1)
      return { answer }
    },
    async release() {
      for (const spy of waits) spy.mockRestore()
      held.resolve()
      await holding
      await Promise.allSettled(answers)
    },
  }
}
