import { randomUUID } from 'node:crypto'
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { openFilesAllowed } from '../../lib/files/open-files.ts'
import { guard, ignore } from '../../lib/guard.ts'
import { firstIn } from '../../lib/must.ts'
import { isForPrograms } from '../callers/caller.ts'
import { httpLimits } from '../limits.ts'
import { isForMonitors } from '../monitoring/monitor-paths.ts'
import { errorJson } from '../responses/answer.ts'
import { type ErrorPage, pageHeaders, wantsPage } from '../responses/pages.ts'
import { TooBusy } from './admission.ts'
import { connectionRoom } from './connection-room.ts'
import { noteRefusal } from './pause-refused.ts'

type Limits = Record<'clientConnections' | 'connectionsRefused' | 'pipelinedRequests', number>

const { pipelinedRequests } = httpLimits
const ownLimits: Limits = { ...connectionRoom(openFilesAllowed()), pipelinedRequests }

type Options = {
  /** Whether the node has no place for this request, of which only the head has been read. */
  isFull(request: IncomingMessage): boolean
  /** Whether this path is answered without any work. */
  isFree(url: string | undefined): boolean
  /** Notes that a connection was refused. */
  note(): void
  errorPage: ErrorPage
}

/**
 * Refuses requests that the node has no room for as soon as it has read their heads. Refusing takes time from the
 * other requests, so it does without the framework.
 */
export function refuseExcess(
  server: Server,
  { isFull, isFree, note, errorPage }: Options,
  limits = ownLimits,
) {
  const handle = firstIn(server.listeners('request') as RequestListener[])
  const connections = new Connections(server, limits)
  const route: RequestListener = (request, response) => {
    const { socket } = request
    if (connections.isPipeliningTooMuch(socket, response)) socket.destroy()
    if (socket.destroyed) return
    if (isForMonitors(request.url)) handle.call(server, request, response)
    else if (connections.isBeyond(socket)) {
      note()
      refuse(request, response, { isLast: true, errorPage })
    } else if (!isFree(request.url) && isFull(request)) {
      refuse(request, response, { isLast: false, errorPage })
    } else handle.call(server, request, response)
  }
  const take: RequestListener = (request, response) => {
    const end = (error: Error) => response.destroy(error)
    const go = guard(end, route)
    go(request, response)
  }
  server.on('drop', guard(ignore, note))
  server.off('request', handle).on('request', guard(ignore, take))
}

/** Counts connections, and the requests that wait on each for the responses to earlier ones. */
class Connections {
  private open = 0
  private readonly limits: Limits
  private readonly beyond = new WeakSet<Socket>()
  private readonly pipelined = new WeakMap<Socket, number>()

  constructor(server: Server, limits: Limits) {
    this.limits = limits
    server.maxConnections = limits.clientConnections + limits.connectionsRefused
    const enter = guard(ignore, (socket: Socket) => {
      const leave = guard(ignore, () => {
        this.open -= 1
      })
      this.open += 1
      if (this.open > limits.clientConnections) this.beyond.add(socket)
      socket.once('close', leave)
    })
    server.on('connection', enter)
  }

  /** Whether this connection is one too many. */
  isBeyond(socket: Socket): boolean {
    return this.beyond.has(socket)
  }

  /** Whether too many requests wait on this connection, with this one. */
  isPipeliningTooMuch(socket: Socket, response: ServerResponse): boolean {
    // A response gets its connection when those before it are complete.
    if (response.socket) return false
    const waiting = (this.pipelined.get(socket) ?? 0) + 1
    this.pipelined.set(socket, waiting)
    const leave = guard(ignore, () => this.pipelined.set(socket, this.pipelined.get(socket)! - 1))
    response.once('socket', leave)
    return waiting > this.limits.pipelinedRequests
  }
}

const busy = new TooBusy()
/** A text: Node sends a short one together with the head. */
const json = errorJson(busy)
const jsonHeaders = {
  'content-type': 'application/json',
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
}

type Refusal = { isLast: boolean; errorPage: ErrorPage }

function refuse(request: IncomingMessage, response: ServerResponse, { isLast, errorPage }: Refusal) {
  const { url = '/', headers } = request
  // The rest of a large body is not read.
  const isChunked = headers['transfer-encoding'] !== undefined
  const closes = isLast || isChunked || !(Number(headers['content-length'] ?? 0) <= httpLimits.smallBody)
  const isPage = wantsPage(request) && !isForPrograms(url)
  const body = isPage ? errorPage(busy, headers['accept-language']).text : json
  response.writeHead(503, {
    ...(isPage ? pageHeaders : jsonHeaders),
    'retry-after': String(busy.data['retry-after']),
    'content-length': Buffer.byteLength(body),
    'x-request-id': randomUUID(),
    ...(closes && { connection: 'close' }),
  })
  response.end(body)
  if (!closes) noteRefusal(request, response)
}
