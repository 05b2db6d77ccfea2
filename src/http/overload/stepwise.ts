import type { RequestListener, Server } from 'node:http'
import { TimeSlice } from '../../lib/async/time-slice.ts'
import { guard, ignore } from '../../lib/guard.ts'
import { firstIn } from '../../lib/must.ts'
import { httpLimits } from '../limits.ts'
import { operationOf } from './batch.ts'

/**
 * Carries out the requests of some operations, which are named as `GET /path`, in steps between which other requests go on. Otherwise, when
 * thousands of clients return at the same moment, Node would read and carry out all of their requests before anything else. Requests that
 * still wait when `isOver` aborts go on immediately.
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

  /** Calls `go`: immediately, if nothing waits and the present step is not over, otherwise in a later step. */
  take(go: () => void) {
    if (this.waiting.size > 0 || this.step?.isOver) {
      this.waiting.add(go)
      return
    }
    if (!this.step) void this.goOn()
    go()
  }

  /** Lets all waiting requests go on immediately. */
  end() {
    const waiting = [...this.waiting]
    this.waiting.clear()
    for (const go of waiting) go()
  }

  private async goOn() {
    const step = new TimeSlice(httpLimits.stepMs)
    this.step = step
    do {
      // Meanwhile, Node reads the requests that have arrived.
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

/** Resolves when all promises that wait for neither the network nor the database have settled. */
function promisesSettled(): Promise<void> {
  return new Promise((resolve) => process.nextTick(resolve))
}
