import { once } from 'node:events'
import type { AddressInfo, Socket } from 'node:net'
import type { SMTPServerAddress, SMTPServerDataStream, SMTPServerSession } from 'smtp-server'
import { withTimeout } from '../../lib/async/with-timeout.ts'
import { guard, ignore } from '../../lib/guard.ts'
import { must } from '../../lib/must.ts'
import { networkOf } from '../../lib/network/network-of.ts'
import { adapterLimits } from '../limits.ts'
import { type MailReceiver, MailRefusal } from './mail-receiver.ts'

export type MailListener = { port: number; close(): Promise<void> }

type Options = { host: string; port: number; name: string; receiver: MailReceiver }

const contentBytes = adapterLimits.incomingMailMib * 1024 * 1024

/**
 * Receives mail by SMTP, in plain text and without logins, from another mail server. `close` accepts no more
 * connections, and waits for mails under way.
 */
export async function listenForMail({ host, port, name, receiver }: Options): Promise<MailListener> {
  const { SMTPServer } = await import('smtp-server')
  const connections = new Connections()
  const contents = new Contents()
  const report = (error: unknown) => receiver.report(error)
  const settle = <T extends unknown[]>(work: (...args: T) => unknown) => settled(receiver, work)
  const server = new SMTPServer({
    name,
    banner: 'Rookery',
    logger: false,
    authOptional: true,
    disabledCommands: ['AUTH', 'STARTTLS'],
    hideENHANCEDSTATUSCODES: false,
    disableReverseLookup: true,
    size: contentBytes,
    rejectOversized: true,
    maxClients: adapterLimits.incomingMailConnections,
    maxRecipients: adapterLimits.incomingMailRecipients,
    socketTimeout: adapterLimits.incomingMailIdleSeconds * 1000,
    closeTimeout: adapterLimits.incomingMailCloseSeconds * 1000,
    onConnect: settle((session) => connections.open(session)),
    onClose: guard(report, (session) => connections.close(session)),
    onRcptTo: settle(({ address }: SMTPServerAddress, _: SMTPServerSession) =>
      receiver.checkRecipient(address),
    ),
    onData: closingIfCut(
      () => server.connections,
      settle((stream, session) => contents.read(stream, (content) => take(receiver, session, content))),
    ),
  })
  // If a connection breaks, the other server sends its mail again.
  server.on('error', ignore)
  const sockets = new Set<Socket>()
  server.server.on(
    'connection',
    guard(ignore, (socket) => keepTrack(sockets, socket)),
  )
  server.listen(port, host)
  await once(server.server, 'listening')
  return {
    port: (server.server.address() as AddressInfo).port,
    async close() {
      const closed = new Promise<void>((resolve) => server.close(resolve))
      await withTimeout(adapterLimits.incomingMailCloseSeconds, contents.settled())
      for (const socket of sockets) socket.destroySoon()
      await closed
    },
  }
}

/** Makes a handler for the library: errors of the work go to its last argument, the callback. */
function settled<T extends unknown[]>(receiver: MailReceiver, work: (...args: T) => unknown) {
  return (...args: [...T, (error?: Error | null) => void]) => {
    const answer = args.at(-1) as (error?: Error | null) => void
    const fail = (error: unknown) => {
      if (!(error instanceof MailRefusal)) receiver.report(error)
      answer(error instanceof MailRefusal ? error : new MailRefusal(451, 'Try again later', error))
    }
    guard(fail, async () => {
      await work(...(args.slice(0, -1) as T))
      answer()
    })()
  }
}

/** The rest of a mail is not worth reading. */
class CutMail extends MailRefusal {}

type Connection = { session: SMTPServerSession; close(): void }

type Receive = (
  stream: SMTPServerDataStream,
  session: SMTPServerSession,
  answer: (error?: Error | null) => void,
) => void

/** Ends the connection after a mail that was refused while it came: what follows on it is the rest of that mail. */
function closingIfCut(connections: () => Iterable<Connection>, receive: Receive): Receive {
  return (stream, session, answer) =>
    receive(stream, session, (error) => {
      answer(error)
      if (!(error instanceof CutMail)) return
      for (const connection of connections()) if (connection.session.id === session.id) connection.close()
    })
}

function take(receiver: MailReceiver, { envelope }: SMTPServerSession, content: Uint8Array<ArrayBuffer>) {
  const returnPath = envelope.mailFrom ? envelope.mailFrom.address : ''
  return receiver.take({ returnPath, recipients: envelope.rcptTo.map(({ address }) => address), content })
}

/** Tracks a connection until it ends, and ends it after a maximum time, whatever it does. */
function keepTrack(sockets: Set<Socket>, socket: Socket) {
  sockets.add(socket)
  const end = guard(ignore, () => socket.destroy())
  const timer = setTimeout(end, adapterLimits.incomingMailSeconds * 1000)
  timer.unref()
  const forget = guard(ignore, () => {
    sockets.delete(socket)
    clearTimeout(timer)
  })
  socket.once('close', forget)
}

/** The open connections, with the network of each. */
class Connections {
  private readonly networks = new Map<string, string>()

  open({ id, remoteAddress }: SMTPServerSession) {
    const network = networkOf(remoteAddress)
    const own = [...this.networks.values()].filter((other) => other === network).length
    if (own >= adapterLimits.incomingMailConnectionsEach) {
      throw Object.assign(new MailRefusal(451, 'Too many connections'), { responseCode: 421 })
    }
    this.networks.set(id, network)
  }

  close({ id }: SMTPServerSession) {
    this.networks.delete(id)
  }
}

/** The contents of mails in memory. Their total size is limited. */
class Contents {
  private bytes = 0
  private readonly underWay = new Set<Promise<void>>()

  /** Resolves when no mail is under way. */
  async settled() {
    while (this.underWay.size > 0) await Promise.allSettled(this.underWay)
  }

  /**
   * Reads the content of a mail, and keeps it until the work with it is done. The stream is read to its end, unless that would take
   * very long.
   */
  async read(stream: SMTPServerDataStream, work: Work) {
    const reading = this.readNow(stream, work)
    this.underWay.add(reading)
    await reading.finally(() => this.underWay.delete(reading))
  }

  private async readNow(stream: SMTPServerDataStream, work: Work) {
    const buffer = new ContentBuffer()
    try {
      await this.collect(stream, buffer)
      await work(buffer.joined())
    } finally {
      this.drop(buffer)
    }
  }

  private async collect(stream: SMTPServerDataStream, buffer: ContentBuffer) {
    let refusal: MailRefusal | undefined
    let pieces = 0
    try {
      for await (const piece of stream as AsyncIterable<Buffer>) {
        if (++pieces > adapterLimits.incomingMailPieces + stream.byteLength / 1024) {
          throw new CutMail(554, 'The mail cannot be read: too many of its lines begin with a dot')
        }
        refusal ??= this.refusalOf(buffer.size + piece.length, piece.length)
        if (refusal) this.drop(buffer)
        else this.add(buffer, piece)
      }
    } catch (error) {
      throw error instanceof CutMail ? error : new MailRefusal(451, 'The connection broke', error)
    }
    if (refusal) throw refusal
  }

  private add(buffer: ContentBuffer, piece: Buffer) {
    buffer.add(piece)
    this.bytes += piece.length
  }

  private drop(buffer: ContentBuffer) {
    this.bytes -= buffer.size
    buffer.drop()
  }

  private refusalOf(size: number, more: number): MailRefusal | undefined {
    if (size > contentBytes) return new MailRefusal(552, 'The mail is too large')
    if (this.bytes + more <= adapterLimits.incomingMailsMib * 1024 * 1024) return undefined
    return new MailRefusal(452, 'Too many mails at the moment')
  }
}

type Work = (content: Uint8Array<ArrayBuffer>) => Promise<void>

/**
 * Collects bytes into few blocks. A mail of very short lines arrives in millions of pieces, which would take a hundred
 * times its size.
 */
class ContentBuffer {
  size = 0
  private blocks: Uint8Array[] = []
  /** How many bytes of the last block are free. */
  private room = 0

  add(piece: Uint8Array) {
    this.size += piece.length
    for (let rest = piece; rest.length > 0; ) {
      if (this.room === 0) this.grow()
      const part = rest.subarray(0, this.room)
      const block = must(this.blocks.at(-1), 'block')
      block.set(part, block.length - this.room)
      this.room -= part.length
      rest = rest.subarray(part.length)
    }
  }

  /** Returns all bytes, and releases the blocks. */
  joined(): Uint8Array<ArrayBuffer> {
    const whole = new Uint8Array(this.size)
    let at = 0
    for (const block of this.blocks.splice(0)) {
      whole.set(block.subarray(0, this.size - at), at)
      at += block.length
    }
    return whole
  }

  drop() {
    this.blocks = []
    this.size = 0
    this.room = 0
  }

  private grow() {
    this.room = Math.min(blockBytes.most, blockBytes.least * 2 ** this.blocks.length)
    this.blocks.push(new Uint8Array(this.room))
  }
}

const blockBytes = { least: 16 * 1024, most: 1024 * 1024 }
