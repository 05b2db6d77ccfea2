import { connect, type Socket } from 'node:net'

export type RawResponse = { status: number; head: string; body: Buffer }

type Waiting = { resolve(response: RawResponse): void; reject(error: Error): void }

/**
 * One keep-alive connection that speaks just enough HTTP/1.1 for a benchmark: requests are bytes made beforehand, one
 * at a time. It takes a fraction of the processor time of a full client, which the server would have to share.
 */
export class RawConnection {
  private readonly socket: Socket
  private pieces: Buffer[] = []
  /** Whether a response can be whole now that this piece has come: to try it with each would take long for large ones. */
  private mayBeWhole: (last: Buffer) => boolean = () => true
  private waiting: Waiting | undefined

  private constructor(socket: Socket) {
    this.socket = socket
    socket.on('data', (bytes) => this.accept(bytes))
    socket.on('error', (error) => this.fail(error))
    socket.on('close', () => this.fail(new Error('the server closed the connection')))
  }

  static open(port: number): Promise<RawConnection> {
    return new Promise((resolve, reject) => {
      const socket = connect({ port, host: '127.0.0.1', noDelay: true })
      socket.once('error', reject)
      socket.once('connect', () => {
        socket.off('error', reject)
        resolve(new RawConnection(socket))
      })
    })
  }

  /** Sends a whole request; its response must have come before the next. */
  ask(request: string | Buffer): Promise<RawResponse> {
    return new Promise((resolve, reject) => {
      if (this.waiting) throw new Error('one request at a time')
      if (this.socket.destroyed) throw new Error('the connection is closed')
      this.waiting = { resolve, reject }
      this.socket.write(request)
    })
  }

  /** The server may have closed it meanwhile. */
  get isOpen() {
    return !this.socket.closed
  }

  close() {
    this.waiting = undefined
    this.socket.destroy()
  }

  private accept(bytes: Buffer) {
    this.pieces.push(bytes)
    if (!this.mayBeWhole(bytes)) return
    const received = this.pieces.length === 1 ? bytes : Buffer.concat(this.pieces)
    const response = parseResponse(received)
    this.pieces = response ? [] : [received]
    this.mayBeWhole = response ? () => true : this.endOf(received)
    if (!response) return
    const { waiting } = this
    this.waiting = undefined
    waiting?.resolve(response)
  }

  /** How to see that the rest of this response has come. */
  private endOf(begun: Buffer): (last: Buffer) => boolean {
    const { head, length } = headOf(begun) ?? {}
    if (head === undefined) return () => true
    if (length === undefined)
      return (last) => last.length < lastChunk.length || last.toString('latin1').endsWith(lastChunk)
    return () => this.pieces.reduce((sum, piece) => sum + piece.length, 0) >= length
  }

  private fail(error: Error) {
    const { waiting } = this
    this.waiting = undefined
    waiting?.reject(error)
  }
}

/** A response that does not end: its text, piece by piece as it comes, with its head and the sizes of its chunks. */
export class RawStream {
  private readonly socket: Socket

  private constructor(socket: Socket) {
    this.socket = socket
  }

  /** Resolves when the first piece has come. `fail` is called if the connection ends. */
  static open(
    port: number,
    request: string,
    { take, fail }: { take(text: string): void; fail(error: Error): void },
  ): Promise<RawStream> {
    return new Promise((resolve) => {
      const socket = connect({ port, host: '127.0.0.1', noDelay: true }, () => socket.write(request))
      socket.setEncoding('latin1')
      socket.once('data', () => resolve(new RawStream(socket)))
      socket.on('data', take)
      socket.on('error', fail)
      socket.on('close', () => fail(new Error('the server closed the stream')))
    })
  }

  close() {
    this.socket.destroy()
  }
}

/** A request as bytes. `form` becomes the body. */
export function rawRequest(
  method: string,
  path: string,
  headers: Record<string, string> = {},
  form?: Record<string, string>,
): string {
  const body = form ? new URLSearchParams(form).toString() : ''
  const all: Record<string, string> = { host: '127.0.0.1', 'user-agent': 'rookery-bench/1', ...headers }
  if (form) {
    all['content-type'] = 'application/x-www-form-urlencoded'
    all['content-length'] = String(body.length)
  }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  return `${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body}`
}

/** In a request: stands for a number of as many digits, another one each time. */
export const serial = 'SerialNumber'

/** The answer without what belongs to its connection. */
export function answerOf({ head, body }: RawResponse) {
  const lines = head.split('\r\n').slice(1)
  const headers = lines.map((line) => [
    line.slice(0, line.indexOf(':')),
    line.slice(line.indexOf(':') + 1).trim(),
  ])
  return { body, headers: Object.fromEntries(headers.filter(([name]) => !ofConnection.test(name!))) }
}

const ofConnection = /^(date|connection|keep-alive|content-length|transfer-encoding)$/i

const lastChunk = '0\r\n\r\n'

/** The head of a response, where it ends, and how long all of it is, if it says so; undefined while some of the head is missing. */
function headOf(bytes: Buffer): { head: string; end: number; length?: number } | undefined {
  const end = bytes.indexOf('\r\n\r\n')
  if (end < 0) return undefined
  const head = bytes.toString('latin1', 0, end)
  const length = /\r\ncontent-length: *(\d+)/i.exec(head)
  return { head, end, ...(length && { length: end + 4 + Number(length[1]) }) }
}

/** The response that these bytes hold, or undefined while some of it is missing. */
function parseResponse(bytes: Buffer): RawResponse | undefined {
  const { head, end, length } = headOf(bytes) ?? {}
  if (head === undefined || end === undefined) return undefined
  const status = Number(head.slice(9, 12))
  if (length !== undefined) {
    return bytes.length < length ? undefined : { status, head, body: bytes.subarray(end + 4, length) }
  }
  if (!/\r\ntransfer-encoding: *chunked/i.test(head)) return { status, head, body: Buffer.alloc(0) }
  const body = parseChunks(bytes, end + 4)
  return body && { status, head, body }
}

function parseChunks(bytes: Buffer, start: number): Buffer | undefined {
  const chunks: Buffer[] = []
  for (let at = start; ; ) {
    const line = bytes.indexOf('\r\n', at)
    if (line < 0) return undefined
    const size = Number.parseInt(bytes.toString('latin1', at, line), 16)
    const next = line + 2 + size + 2
    if (bytes.length < next) return undefined
    if (size === 0) return Buffer.concat(chunks)
    chunks.push(bytes.subarray(line + 2, next - 2))
    at = next
  }
}
