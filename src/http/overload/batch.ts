import type { IncomingMessage, RequestListener, Server } from 'node:http'
import { guard, ignore } from '../../lib/guard.ts'
import { firstIn } from '../../lib/must.ts'
import { pathOf } from '../connection/head.ts'
import { httpLimits } from '../limits.ts'

/**
 * Batches requests of operations that are declared `batched`, named as `POST /path`. The first one continues
 * immediately. Those that come within a moment of it continue together, before anything but their head is parsed:
 * waking an idle CPU for each request costs several times more, since its caches are cold.
 */
export function batchRequests(server: Server, operations: Set<string>) {
  const handle = firstIn(server.listeners('request') as RequestListener[])
  const gathering = new RequestBatcher()
  const take: RequestListener = (request, response) => {
    const end = (error: Error) => response.destroy(error)
    const go = guard(end, () => handle.call(server, request, response))
    if (operations.has(operationOf(request))) gathering.join(go)
    else go()
  }
  server.off('request', handle).on('request', guard(ignore, take))
}

/** The method and the path of a request, as `POST /path`. */
export function operationOf({ method, url = '' }: IncomingMessage) {
  return `${method} ${pathOf(url)}`
}

class RequestBatcher {
  private waiting: (() => void)[] = []
  /** Runs while requests have to wait. */
  private timer: NodeJS.Timeout | undefined

  join(go: () => void) {
    if (!this.timer) {
      this.timer = this.nextRelease()
      go()
      return
    }
    this.waiting.push(go)
    // A larger batch saves no more, and would delay other requests.
    if (this.waiting.length === httpLimits.gatheredRequests) this.release()
  }

  private nextRelease() {
    const release = guard(ignore, () => this.release())
    return setTimeout(release, httpLimits.gatherMs)
  }

  private release() {
    clearTimeout(this.timer)
    const ready = this.waiting
    this.waiting = []
    this.timer = ready.length > 0 ? this.nextRelease() : undefined
    for (const go of ready) go()
  }
}
