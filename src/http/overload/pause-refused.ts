import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { guard, ignore } from '../../lib/guard.ts'
import { TooBusy } from './admission.ts'

/** Milliseconds that the response tells the client to wait. */
const retryAfterMs = Number(new TooBusy().data['retry-after']) * 1000
/** Milliseconds of the pause: shorter, so that a client that does not wait has its next response within that time. */
const pauseMs = 0.8 * retryAfterMs

const refusedAt = new WeakMap<Socket, number>()

/**
 * Call it with each response that refuses a request because there is no room. After the second one on a connection within
 * two seconds, the connection is not read for a while: to refuse clients that do not wait would take more time than the work
 * that the node still does. A single refusal delays nothing, as the client may use the connection for requests that have room.
 */
export function noteRefusal(request: IncomingMessage, response: ServerResponse) {
  const { socket } = request
  if (comesByProxy(request)) return
  const [now, before] = [performance.now(), refusedAt.get(socket) ?? Number.NEGATIVE_INFINITY]
  refusedAt.set(socket, now)
  if (now - before < 2 * retryAfterMs) pauseReading(request, response)
}

/** Whether the connection may be that of a proxy, which sends the requests of many clients on it. */
function comesByProxy({ headers }: IncomingMessage): boolean {
  return ['x-forwarded-for', 'forwarded', 'via'].some((name) => name in headers)
}

/**
 * Leaves what the client sends next in the kernel's buffers. This does not wait for a turn of the event loop: if a thousand
 * connections have data, Node reads all of them up to 48 times in one turn (uv__io_poll).
 */
function pauseReading(request: IncomingMessage, response: ServerResponse) {
  const { socket } = request
  const resume = guard(ignore, () => void socket.resume())
  const pause = guard(ignore, () => {
    if (socket.destroyed) return
    socket.pause()
    setTimeout(resume, pauseMs).unref()
  })
  // Until the end of the request, Node itself resumes reading.
  const pauseAfterRequest = guard(ignore, () => {
    if (request.closed) pause()
    else request.once('close', pause)
  })
  response.once('close', pauseAfterRequest)
}
