import { expect, vi } from 'vitest'
import type { Actor } from '../src/log/audit/actor.ts'
import type { RealmLog } from '../src/log/realm-log.ts'
import { withResolvers } from './with-resolvers.ts'

/** Tells a request's write from one that the server makes by itself, as when it first measures the channels of an organization. */
export const isOfRequest = (actor: Actor | undefined) => actor !== undefined

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
  const [changes, batched] = [vi.spyOn(log, 'commitIn'), vi.spyOn(log, 'commitInGroup')]
  const waiting = () =>
    changes.mock.calls.filter(([, , actor]) => isOfRequest(actor)).length + batched.mock.calls.length
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
      for (const spy of [changes, batched]) spy.mockRestore()
      held.resolve()
      await holding
      await Promise.allSettled(answers)
    },
  }
}

/**
 * Holds up the first write of a request on this node, after its checks. Other writes go on, here and on other nodes.
 * `begun` resolves when it waits.
 */
export function holdFirstWrite(log: RealmLog): { begun: Promise<void>; release(): void } {
  const [begun, held] = [withResolvers(), withResolvers()]
  const commitIn = log.commitIn.bind(log)
  const commits = vi.spyOn(log, 'commitIn').mockImplementation(async (epoch, work, actor) => {
    if (isOfRequest(actor)) {
      commits.mockRestore()
      begun.resolve()
      await held.promise
    }
    return commitIn(epoch, work, actor)
  })
  return { begun: begun.promise, release: held.resolve }
}
