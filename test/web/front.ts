import { createServer, request, type Server } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'

/** A proxy in front of the test server. It can be away, and can change responses. */
export class Front {
  /** Changes the text of an answer; requests of any other path come through as they are. */
  rewrite: Record<string, (text: string) => string> = {}
  /** Other names of files of the server. */
  aliases: Record<string, string> = {}
  /** Paths whose requests get no answer. */
  stalled: string[] = []
  port = 0
  private server: Server | undefined
  private readonly sockets = new Set<Socket>()
  private readonly target: number

  constructor(target: number) {
    this.target = target
  }

  /** Begins to listen, at the same port as before. */
  async open() {
    const server = createServer((incoming, answer) => {
      const path = incoming.url ?? '/'
      if (this.stalled.includes(path)) return
      const change = this.rewrite[path]
      const headers = { ...incoming.headers, ...(change && { 'accept-encoding': 'identity' }) }
      const { method } = incoming
      const passed = request(
        { port: this.target, host: '127.0.0.1', method, headers, path: this.aliases[path] ?? path },
        async (response) => {
          if (!change) {
            answer.writeHead(response.statusCode ?? 500, response.headers)
            response.pipe(answer)
            return
          }
          const { 'content-length': _, etag: __, ...kept } = response.headers
          answer.writeHead(response.statusCode ?? 500, kept)
          answer.end(change(Buffer.concat(await response.toArray()).toString()))
        },
      )
      passed.on('error', () => answer.destroy())
      answer.on('close', () => passed.destroy())
      incoming.pipe(passed)
    })
    server.on('connection', (socket) => {
      this.sockets.add(socket)
      socket.on('close', () => this.sockets.delete(socket))
    })
    this.server = server
    await new Promise<void>((resolve) => server.listen(this.port, '127.0.0.1', resolve))
    this.port = (server.address() as AddressInfo).port
  }

  /** Is away from now on: open connections break, and new ones are refused. */
  async close() {
    const closed = new Promise((resolve) => this.server?.close(resolve))
    for (const socket of this.sockets) socket.destroy()
    await closed
  }
}
