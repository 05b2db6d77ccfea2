import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { guard, ignore } from '../../lib/guard.ts'
import { methods } from './head.ts'

const allMethods = methods.join(', ')

/** `rawPacket`: a Buffer with the bytes that could not be parsed. */
type ClientError = Error & { code?: string; rawPacket?: unknown }

/** Sends one error response on a connection that does not speak HTTP. */
export function refuseMalformed(error: ClientError, socket: Socket) {
  if (error.code === 'HPE_HEADER_OVERFLOW') refuse(socket, '431 Request Header Fields Too Large')
  else if (isOtherMethod(error)) refuse(socket, '405 Method Not Allowed')
  else if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT') refuse(socket, '408 Request Timeout')
  else refuse(socket, '400 Bad Request')
}

/** Whether it is HTTP except for a method that Node does not know. */
function isOtherMethod({ code, rawPacket }: ClientError) {
  const start = Buffer.isBuffer(rawPacket) ? rawPacket.toString('latin1', 0, 2_000) : ''
  return code === 'HPE_INVALID_METHOD' && /^[\w!#$%&'*+.^`|~-]+ \S+ HTTP\/1\.[01]\r?\n/.test(start)
}

/** Returns 405 to a client that takes this server for a proxy: there is nothing to connect it to. */
export function refuseTunnels(server: Server) {
  const refuseTunnel = (_: unknown, socket: Socket) => refuse(socket, '405 Method Not Allowed')
  server.on('connect', guard(ignore, refuseTunnel))
}

/** Sends a response on a connection without a valid request, and ends it. */
function refuse(socket: Socket, status: string) {
  if (!socket.writable) return
  const msg = status.startsWith('405') ? 'Method Not Allowed' : 'Malformed request'
  const body = `${JSON.stringify({ result: 'error', msg, code: 'BAD_REQUEST' })}\n`
  const head = [
    `HTTP/1.1 ${status}`,
    'Connection: close',
    'Content-Type: application/json',
    'X-Content-Type-Options: nosniff',
    `Content-Length: ${body.length}`,
    ...(status.startsWith('405') ? [`Allow: ${allMethods}`] : []),
  ]
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`)
}
