import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { guard, ignore } from '../lib/guard.ts'
import { TooBusy } from './admission.ts'

const retryAfterMs = Number(new TooBusy().data['retry-after']) * 1000

const refusedAt = new WeakMap<Socket, number>()

/**
 * Call it with each response that refuses a request because there is no room. After the second one on a connection within
 * two seconds, the connection is not read for as long as the client was told to wait: to refuse clients that do not wait would
 * take more time than the work that the node still does. A single refusal delays nothing, as the client may use the connection
 * for requests that have room.
 */
export function noteRefusal(request: IncomingMessage, response: ServerResponse) {
  const { socket } = request
  if (comesByProxy(request)) return
  const [now, before] = [performance.now(), refusedAt.get(socket) ?? Number.NEGATIVE_INFINITY]
  refusedAt.set(socket, now)
  if (now - before < 2 * retryAfterMs) pauseReading(socket, response)
}

/** Whether the connection may be that of a proxy, which sends the requests of many clients on it. */
function comesByProxy({ headers }: IncomingMessage): boolean {
  return ['x-forwarded-for', 'forwarded', 'via'].some((name) => name in headers)
}

/** Leaves what the client sends next in the kernel's buffers, until the time that the response told it has passed. */
function pauseReading(socket: Socket, response: ServerResponse) {
  const resume = guard(ignore, () => void socket.resume())
  const pause = guard(ignore, () => {
    if (socket.destroyed) return
    socket.pause()
    setTimeout(resume, retryAfterMs).unref()
  })
  // Before that, Node reads on itself, for the rest of the request.
  const pauseAfterRequest = guard(ignore, () => void setImmediate(pause))
  response.once('close', pauseAfterRequest)
}
