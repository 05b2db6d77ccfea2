import { once } from 'node:events'
import { type AddressInfo, createConnection, createServer, type Server, type Socket } from 'node:net'
import pg from 'pg'

/** A database that is starting after a crash: it says so to every client, until it has finished. */
export class StartingDatabase {
  readonly url: string
  private readonly server: Server
  private readonly sockets: Set<Socket>
  private readonly progress: { isOver: boolean }

  private constructor(url: string, server: Server, sockets: Set<Socket>, progress: { isOver: boolean }) {
    this.url = url
    this.server = server
    this.sockets = sockets
    this.progress = progress
  }

  static async before(databaseUrl: string): Promise<StartingDatabase> {
    const { user, database, host, port } = new pg.Client({ connectionString: databaseUrl })
    const target = host.startsWith('/') ? { path: `${host}/.s.PGSQL.${port}` } : { host, port }
    const sockets = new Set<Socket>()
    const progress = { isOver: false }
    const server = createServer((near) => {
      const far = progress.isOver ? createConnection(target) : undefined
      for (const socket of [near, far]) {
        if (socket) sockets.add(socket.on('error', () => {}))
      }
      if (far) near.pipe(far).pipe(near)
      else near.once('data', () => near.end(refusal))
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const url = `postgres://${user}@127.0.0.1:${(server.address() as AddressInfo).port}/${database}`
    return new StartingDatabase(url, server, sockets, progress)
  }

  finish() {
    this.progress.isOver = true
  }

  close() {
    this.finish()
    this.server.close()
    for (const socket of this.sockets) socket.unref()
  }
}

/** The fields of the error, as PostgreSQL sends them. */
const fields = ['SFATAL', 'VFATAL', 'C57P03', 'Mthe database system is starting up', '']
const text = Buffer.from(`${fields.join('\0')}\0`)
const refusal = Buffer.concat([Buffer.from('E'), Buffer.alloc(4), text])
refusal.writeUInt32BE(text.length + 4, 1)
