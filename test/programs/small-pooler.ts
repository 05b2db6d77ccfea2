import { once } from 'node:events'
import { type AddressInfo, createConnection, createServer, type Socket } from 'node:net'
import pg from 'pg'

/**
 * A minimal connection pooler in transaction mode: all clients share one session, which each has until its transaction
 * has ended.
 */
export class SmallPooler {
  readonly url: string
  private readonly sockets: Socket[]
  private readonly stop: () => void

  private constructor(url: string, sockets: Socket[], stop: () => void) {
    this.url = url
    this.sockets = sockets
    this.stop = stop
  }

  static async before(databaseUrl: string): Promise<SmallPooler> {
    const { user, database, host, port } = new pg.Client({ connectionString: databaseUrl })
    const target = host.startsWith('/') ? { path: `${host}/.s.PGSQL.${port}` } : { host, port }
    const session = new Session(createConnection(target), `user\0${user}\0database\0${database}\0`)
    await session.begun
    const sockets = [session.socket]
    const server = createServer((socket) => {
      sockets.push(socket)
      socket.on('error', () => {})
      socket.once('data', () => {
        socket.write(Buffer.concat([message('R', Buffer.alloc(4)), message('Z', Buffer.from('I'))]))
        socket.on('data', (chunk) => session.take(socket, chunk))
      })
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const url = `postgres://${user}@127.0.0.1:${(server.address() as AddressInfo).port}/${database}`
    return new SmallPooler(url, sockets, () => server.close())
  }

  close() {
    this.stop()
    for (const socket of this.sockets) socket.destroy()
  }
}

class Session {
  readonly socket: Socket
  readonly begun: Promise<void>
  private owner: Socket | undefined
  private waiting: { client: Socket; chunk: Buffer }[] = []
  private rest = Buffer.alloc(0)
  private begin = () => {}

  constructor(socket: Socket, who: string) {
    this.socket = socket
    this.begun = new Promise((resolve) => {
      this.begin = resolve
    })
    const parameters = Buffer.from(`\0\x03\0\0${who}\0`)
    const length = Buffer.alloc(4)
    length.writeUInt32BE(parameters.length + 4)
    socket.write(Buffer.concat([length, parameters]))
    socket.on('data', (chunk) => this.hear(chunk))
  }

  /** Passes on a client's data while the client has the session. */
  take(client: Socket, chunk: Buffer) {
    if (chunk[0] === 0x58) return client.end() // it ends its connection, which concerns the pooler alone
    if (this.owner && this.owner !== client) return void this.waiting.push({ client, chunk })
    this.owner = client
    this.socket.write(chunk)
  }

  private hear(chunk: Buffer) {
    this.owner?.write(chunk)
    this.rest = Buffer.concat([this.rest, chunk])
    while (this.rest.length >= 5 && this.rest.length > this.rest.readUInt32BE(1)) {
      const end = this.rest.readUInt32BE(1) + 1
      const isIdle = this.rest[0] === 0x5a && this.rest[5] === 0x49
      this.rest = this.rest.subarray(end)
      if (isIdle) this.next()
    }
  }

  private next() {
    this.begin()
    this.owner = undefined
    const [first] = this.waiting
    const turns = this.waiting.filter(({ client }) => client === first?.client)
    this.waiting = this.waiting.filter(({ client }) => client !== first?.client)
    for (const { client, chunk } of turns) this.take(client, chunk)
  }
}

function message(type: string, content: Buffer): Buffer {
  const head = Buffer.alloc(5)
  head.write(type)
  head.writeUInt32BE(content.length + 4, 1)
  return Buffer.concat([head, content])
}
