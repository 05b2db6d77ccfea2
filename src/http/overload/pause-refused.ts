import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { guard, ignore } from '../../lib/guard.ts'
import { TooBusy } from './admission.ts'

/** Milliseconds that the response tells the client to wait. */
const retryAfterMs = Number(new TooBusy().data['retry-after']) * 1000
/** Milliseconds of the pause. It is shorter, so that a client which does not wait gets its next response within that time. */
const pauseMs = 0.8 * retryAfterMs

const refusedAt = new WeakMap<Socket, number>()

/**
 * Notes that a response refuses a request because there is no room. After the second one on a connection within two seconds, the connection
 * is not read for a while: refusing clients that do not wait would take more time than the node's other work. A single refusal delays
 * nothing, as the client may use the connection for requests that have room.
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
 * Leaves what the client sends next in the kernel's buffers. The pause must not wait for the next turn of the event loop: if a thousand
 * connections have data, Node reads each of them up to 48 times in one turn (uv__io_poll).
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
