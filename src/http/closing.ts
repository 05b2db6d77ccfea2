import type { Socket } from 'node:net'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { notReady } from '../lib/api-error.ts'
import { guard, ignore } from '../lib/guard.ts'
import { answerError } from './answer.ts'

/** How long what is under way on connections may go on: shorter than the ten seconds that some supervisors wait for all. */
export const closingSeconds = 8

/** How long the last answers get to reach their clients, in milliseconds. */
const lastAnswersMs = 500

/**
 * Gives a server that closes a deadline. What is under way may finish until then; after it, requests that have no answer
 * yet get a 503, and all connections are closed: half-sent heads, slow uploads, readers that do not read.
 */
export class Closing {
  /** Who is connected, and the request of each that is or was last under way. */
  private readonly replies = new Map<Socket, FastifyReply | undefined>()
  private timer: NodeJS.Timeout | undefined

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

  /** A request is next on its connection. */
  note(reply: FastifyReply) {
    if (reply.raw.socket) this.replies.set(reply.raw.socket, reply)
  }

  private end(app: FastifyInstance) {
    const close = guard(ignore, () => app.server.closeAllConnections())
    this.timer = setTimeout(close, lastAnswersMs)
    for (const reply of this.replies.values()) {
      if (!reply || reply.sent || reply.raw.headersSent) continue
      reply.header('connection', 'close')
      void answerError(reply, notReady('The server is stopping. Try again in a moment.'), reply.request)
    }
  }
}
