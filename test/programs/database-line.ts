import { once } from 'node:events'
import { type AddressInfo, createConnection, createServer, type Socket } from 'node:net'
import pg from 'pg'

/** A proxy between a server and its database that loses responses as networks and crashes do. */
export class DatabaseLine {
  /** The database, reached over this line. */
  readonly url: string
  private readonly close_: () => Promise<void>
  private readonly faults: Faults

  private constructor(url: string, faults: Faults, close: () => Promise<void>) {
    this.url = url
    this.faults = faults
    this.close_ = close
  }

  static async to(databaseUrl: string): Promise<DatabaseLine> {
    const { user, database, host, port } = new pg.Client({ connectionString: databaseUrl })
    const target = host.startsWith('/') ? { path: `${host}/.s.PGSQL.${port}` } : { host, port }
    const faults: Faults = { lost: [], holds: [], watched: [] }
    const sockets = new Set<Socket>()
    const server = createServer((near) => join(near, createConnection(target), faults, sockets))
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const url = `postgres://${user}@127.0.0.1:${(server.address() as AddressInfo).port}/${database}`
    return new DatabaseLine(url, faults, async () => {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    })
  }

  /**
   * Lets the database receive the next statement with this text, but loses its response, and the connection with it.
   * With `after`, only on a connection that has sent that text before: the server also commits work of its own.
   */
  loseAnswerTo(text: string, { after = '' } = {}) {
    this.faults.lost.push({ text, after, sentBefore: new Set(), cuts: true })
  }

  /** Lets the database receive the next statement with this text, and then passes on nothing more on its connection. */
  stopAfter(text: string) {
    this.faults.lost.push({ text, after: '', sentBefore: new Set(), cuts: false })
  }

  /** Holds back the next statement with this text once one with the text `after` was sent, until the hold is released. */
  holdBack(text: string, after: string): Hold {
    const hold: Hold = { text, after, isDue: false, release: undefined }
    this.faults.holds.push(hold)
    return hold
  }

  /** Returns the number of chunks with this text that were sent since this call. */
  counter(text: string): () => number {
    let count = 0
    this.faults.watched.push((chunk) => {
      if (chunk.includes(text)) count++
    })
    return () => count
  }

  /** Whether every response that was to be lost is lost. */
  get hasLostAll() {
    return this.faults.lost.length === 0
  }

  close() {
    return this.close_()
  }
}

/** `cuts`: the connection ends, too. */
type Loss = { text: string; after: string; sentBefore: Set<Socket>; cuts: boolean }

/** `isDue`: the statement before it was sent. `release` is there while it holds a statement. */
type Hold = { text: string; after: string; isDue: boolean; release: (() => void) | undefined }

type Faults = { lost: Loss[]; holds: Hold[]; watched: ((chunk: Buffer) => void)[] }

/** Returns the hold that begins with this chunk. */
function beginningHold(holds: Hold[], chunk: Buffer): Hold | undefined {
  const index = holds.findIndex(({ isDue, text }) => isDue && chunk.includes(text))
  for (const hold of holds) if (chunk.includes(hold.after)) hold.isDue = true
  return index < 0 ? undefined : holds.splice(index, 1)[0]
}

function join(near: Socket, far: Socket, { lost, holds, watched }: Faults, sockets: Set<Socket>) {
  let loss: Loss | undefined
  near.on('data', (chunk) => {
    if (loss) return
    for (const watch of watched) watch(chunk)
    const hold = beginningHold(holds, chunk)
    if (hold) {
      near.pause()
      hold.release = () => {
        far.write(chunk)
        near.resume()
      }
      return
    }
    for (const { after, sentBefore } of lost) if (chunk.includes(after)) sentBefore.add(near)
    const index = lost.findIndex(({ text, sentBefore }) => sentBefore.has(near) && chunk.includes(text))
    if (index >= 0) loss = lost.splice(index, 1)[0]
    far.write(chunk)
  })
  far.on('data', (chunk) => {
    if (!loss) near.write(chunk)
    else if (loss.cuts) near.destroy()
  })
  for (const [socket, other] of [
    [near, far],
    [far, near],
  ] as const) {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => {
      sockets.delete(socket)
      other.destroy()
    })
  }
}
