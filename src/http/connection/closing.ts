import type { Socket } from 'node:net'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { notReady } from '../../lib/api-error.ts'
import { guard, ignore } from '../../lib/guard.ts'
import { answerError } from '../responses/answer.ts'

/** How long requests may continue while closing: shorter than the ten seconds that some supervisors allow in total. */
export const closingSeconds = 8

/** How long the last responses have to reach their clients, in milliseconds. */
const lastAnswersMs = 500

/**
 * Sets a deadline for a server that closes. Requests may finish until then; after it, requests without a response
 * receive a 503, and all connections are closed: half-sent heads, slow uploads, clients that do not read.
 */
export class Closing {
  /** Open connections, with the current or last request of each. */
  private readonly replies = new Map<Socket, FastifyReply | undefined>()
  private readonly deadline = new AbortController()
  private timer: NodeJS.Timeout | undefined
  /** Aborts when the deadline is over. */
  readonly isOver = this.deadline.signal

  constructor(app: FastifyInstance) {
    const enter = guard(ignore, (socket: Socket) => {
      const leave = guard(ignore, () => this.replies.delete(socket))
      this.replies.set(socket, undefined)
      socket.once('close', leave)
    })
    app.server.on('connection', enter)
    app.addHook('preClose', async () => {
      const end = guard(ignore, () => this.end(app))
      this.timer = setTimeout(end, closingSeconds * 1000)
    })
    app.addHook('onClose', async () => clearTimeout(this.timer))
  }

  /** Notes the next request of a connection. */
  note(reply: FastifyReply) {
    if (reply.raw.socket) this.replies.set(reply.raw.socket, reply)
  }

  /** Answers a request that is too late. */
  refuse(reply: FastifyReply) {
    reply.header('connection', 'close')
    void answerError(reply, notReady('The server is stopping. Try again in a moment.'), reply.request)
  }

  private end(app: FastifyInstance) {
    const close = guard(ignore, () => app.server.closeAllConnections())
    this.timer = setTimeout(close, lastAnswersMs)
    for (const reply of this.replies.values()) {
      if (reply && !reply.raw.headersSent) this.refuse(reply)
    }
    this.deadline.abort()
  }
}
