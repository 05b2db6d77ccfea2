import type { IncomingMessage, RequestListener, Server } from 'node:http'
import { guard, ignore } from '../lib/guard.ts'
import { limits } from '../lib/limits.ts'

/**
 * Lets requests wait for one another: those of operations that are declared `gathered`, named as `POST /path`. The first
 * one goes on at once. Those that come within a moment of it go on together, before anything is made of them but their
 * head: a processor that wakes up for each of them has forgotten the way every time, and takes a multiple.
 */
export function gatherRequests(server: Server, operations: Set<string>) {
  const [handle] = server.listeners('request') as RequestListener[]
  const gathering = new RequestBatcher()
  const take: RequestListener = (request, response) => {
    const end = (error: Error) => response.destroy(error)
    const go = guard(end, () => handle!.call(server, request, response))
    if (operations.has(operationOf(request))) gathering.join(go)
    else go()
  }
  server.off('request', handle!).on('request', guard(ignore, take))
}

function operationOf({ method, url = '' }: IncomingMessage) {
  const start = url.indexOf('?')
  return `${method} ${start < 0 ? url : url.slice(0, start)}`
}

class RequestBatcher {
  private waiting: (() => void)[] = []
  /** Runs while whoever comes has to wait. */
  private timer: NodeJS.Timeout | undefined

  join(go: () => void) {
    if (!this.timer) {
      this.timer = this.nextRelease()
      go()
      return
    }
    this.waiting.push(go)
    // So many together are as good as more, and do not keep others waiting for long.
    if (this.waiting.length === limits.gatheredRequests) this.release()
  }

  private nextRelease() {
    const release = guard(ignore, () => this.release())
    return setTimeout(release, limits.gatherMs)
  }

  private release() {
    clearTimeout(this.timer)
    const ready = this.waiting
    this.waiting = []
    this.timer = ready.length > 0 ? this.nextRelease() : undefined
    for (const go of ready) go()
  }
}
