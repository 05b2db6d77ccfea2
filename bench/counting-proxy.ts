import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'

/** Stands between a node and PostgreSQL, and counts what the node asks of it. */
export class CountingProxy {
  /** Goes through this. */
  readonly url: string
  private count = 0
  private readonly server: Server
  private readonly sockets = new Set<Socket>()

  private constructor(server: Server, url: string) {
    this.server = server
    this.url = url
  }

  static async start(url: string): Promise<CountingProxy> {
    const target = new URL(url.replace('@/', '@localhost/'))
    const directory = target.searchParams.get('host')
    const port = target.port || '5432'
    const server = createServer()
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    target.searchParams.delete('host')
    target.host = `127.0.0.1:${(server.address() as AddressInfo).port}`
    const proxy = new CountingProxy(server, target.href)
    server.on('connection', (client) => {
      const there = directory
        ? connect(`${directory}/.s.PGSQL.${port}`)
        : connect(Number(port), new URL(url).hostname)
      proxy.join(client, there)
    })
    return proxy
  }

  /** The statements so far, those that begin and end transactions included. */
  get queries(): number {
    return this.count
  }

  async stop() {
    for (const socket of this.sockets) socket.destroy()
    await new Promise((resolve) => this.server.close(resolve))
  }

  private join(client: Socket, there: Socket) {
    const count = counter(() => this.count++)
    client.on('data', count)
    for (const [from, to] of [
      [client, there],
      [there, client],
    ] as const) {
      this.sockets.add(from)
      from.pipe(to)
      from.on('error', () => to.destroy())
      from.on('close', () => {
        this.sockets.delete(from)
        to.destroy()
      })
    }
  }
}

/** Finds the messages that run a statement: Query and Execute. The first message has no type. */
function counter(note: () => void) {
  let unread: Buffer = Buffer.alloc(0)
  let isFirst = true
  return (chunk: Buffer) => {
    unread = unread.length === 0 ? chunk : Buffer.concat([unread, chunk])
    for (;;) {
      const start = isFirst ? 0 : 1
      if (unread.length < start + 4) return
      const end = start + unread.readInt32BE(start)
      if (unread.length < end) return
      if (!isFirst && (unread[0] === 0x51 || unread[0] === 0x45)) note()
      isFirst = false
      unread = unread.subarray(end)
    }
  }
}
