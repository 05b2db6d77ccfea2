import { once } from 'node:events'
import { type AddressInfo, createConnection, createServer, type Socket } from 'node:net'
import pg from 'pg'

/** A network between a server and its database, which can be cut, or lose everything without a sign. */
export class Line {
  readonly url: string
  private readonly sockets = new Set<Socket>()
  private readonly stop: () => void
  private isFrozen = false

  private constructor(url: string, stop: () => void) {
    this.url = url
    this.stop = stop
  }

  static async to(databaseUrl: string): Promise<Line> {
    const { user, database, host, port } = new pg.Client({ connectionString: databaseUrl })
    const target = host.startsWith('/') ? { path: `${host}/.s.PGSQL.${port}` } : { host, port }
    const server = createServer((near) => line.join(near, createConnection(target)))
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const url = `postgres://${user}@127.0.0.1:${(server.address() as AddressInfo).port}/${database}`
    const line = new Line(url, () => server.close())
    return line
  }

  /** From now on, nothing arrives; connections stay open. */
  freeze() {
    this.isFrozen = true
  }

  cut() {
    this.stop()
    for (const socket of this.sockets) socket.destroy()
  }

  private join(near: Socket, far: Socket) {
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      this.sockets.add(from)
      from.on('error', () => {})
      from.on('close', () => to.destroy())
      from.on('data', (piece) => {
        if (!this.isFrozen) to.write(piece)
      })
    }
  }
}
