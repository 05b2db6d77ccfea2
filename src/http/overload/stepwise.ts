import type { RequestListener, Server } from 'node:http'
import { TimeSlice } from '../../lib/async/time-slice.ts'
import { guard, ignore } from '../../lib/guard.ts'
import { firstIn } from '../../lib/must.ts'
import { httpLimits } from '../limits.ts'
import { operationOf } from './batch.ts'

/**
 * Carries out requests of operations that are declared `stepwise`, named as `GET /path`, in steps between which other requests go on.
 * Node reads all connections that have something to read before it does anything else: when thousands of clients return at the same
 * moment, of most requests only the head is read then. Those that still wait when `isOver` aborts go on immediately.
 */
export function handleStepwise(server: Server, operations: Set<string>, isOver: AbortSignal) {
  const handle = firstIn(server.listeners('request') as RequestListener[])
  const steps = new Steps()
  const end = guard(ignore, () => steps.end())
  isOver.addEventListener('abort', end)
  const take: RequestListener = (request, response) => {
    if (!operations.has(operationOf(request))) return handle.call(server, request, response)
    const end = (error: Error) => response.destroy(error)
    const go = guard(end, () => {
      if (!request.socket.destroyed) handle.call(server, request, response)
    })
    steps.take(go)
  }
  server.off('request', handle).on('request', guard(ignore, take))
}

class Steps {
  /** In the order in which they came. */
  private readonly waiting = new Set<() => void>()
  /** The step that is under way; undefined while nothing waits. */
  private step: TimeSlice | undefined

  /** Goes on immediately, if nothing waits, as long as one step may take. */
  take(go: () => void) {
    if (this.waiting.size > 0 || this.step?.isOver) {
      this.waiting.add(go)
      return
    }
    if (!this.step) void this.goOn()
    go()
  }

  /** Lets go on what waits, without steps. */
  end() {
    const waiting = [...this.waiting]
    this.waiting.clear()
    for (const go of waiting) go()
  }

  private async goOn() {
    const step = new TimeSlice(httpLimits.stepMs)
    this.step = step
    do {
      // What has arrived meanwhile is read here.
      await step.next()
      for (const go of this.waiting) {
        this.waiting.delete(go)
        go()
        await promisesSettled()
        if (step.isOver) break
      }
    } while (this.waiting.size > 0)
    this.step = undefined
  }
}

/** Resolves when all that can go on without waiting for the network or the database has done so. */
function promisesSettled(): Promise<void> {
  return new Promise((resolve) => process.nextTick(resolve))
}
