import type { IncomingMessage, RequestListener, Server } from 'node:http'
import { guard, ignore } from '../../lib/guard.ts'
import { firstIn } from '../../lib/must.ts'
import { pathOf } from '../connection/head.ts'
import { httpLimits } from '../limits.ts'

/**
 * Batches the requests of some operations, which are named as `POST /path`. The first request goes on immediately. Those that come within
 * a moment of it go on together, and only their heads are parsed until then: waking an idle CPU for each request costs several times
 * more, since its caches are cold.
 */
export function batchRequests(server: Server, operations: Set<string>) {
  const handle = firstIn(server.listeners('request') as RequestListener[])
  const batcher = new RequestBatcher()
  const take: RequestListener = (request, response) => {
    const end = (error: Error) => response.destroy(error)
    const go = guard(end, () => handle.call(server, request, response))
    if (operations.has(operationOf(request))) batcher.join(go)
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
    if (this.waiting.length === httpLimits.requestsPerBatch) this.release()
  }

  private nextRelease() {
    const release = guard(ignore, () => this.release())
    return setTimeout(release, httpLimits.batchMs)
  }

  private release() {
    clearTimeout(this.timer)
    const ready = this.waiting
    this.waiting = []
    this.timer = ready.length > 0 ? this.nextRelease() : undefined
    for (const go of ready) go()
  }
}
