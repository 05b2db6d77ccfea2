import { connect, isIP, type Socket } from 'node:net'
import { connect as connectSecurely } from 'node:tls'
import { guard, ignore } from '../lib/guard.ts'
import { isObject } from '../lib/is-object.ts'
import { jsonIn } from '../lib/json.ts'
import { adapterLimits } from './limits.ts'

/** A connection to a NATS server that publishes and subscribes to one subject, and to those below it. */
export type NatsConnection = {
  /** Delivers at most once: a lost message is not repeated. `below`: the rest of a subject that begins with this one. */
  publish(text: string, below?: string): void
  /** Receives what is published to a subject below this one, too; `>` stands for all of them. */
  subscribe(below: string): void
  unsubscribe(below: string): void
  /** Resolves when the server has received everything published, or the connection has ended. */
  flush(): Promise<void>
  /** Resolves when the connection has ended, with the reason. */
  ended: Promise<Error>
  /** Ends it immediately. */
  end(): void
}

type NatsOptions = {
  /** The NATS subject, without wildcards. */
  name: string
  hear: (text: string) => void
  /** Whether it also receives its own messages. By default it does. */
  echo?: boolean
  /** The certificate authorities to trust instead of the usual ones, in PEM. */
  ca?: string
}

const pingMs = 10_000
const silenceMs = 25_000
const defaultPort = 4222

/**
 * Connects to the NATS server at a URL like `nats://user:password@host:4222`, `nats://token@host` or `tls://host`:
 * through TLS with `tls`, or if the server requires it. Throws if the server does not permit publishing and subscribing
 * within three seconds. Errors never contain a name or a password.
 */
export async function connectToNats(url: string, options: NatsOptions): Promise<NatsConnection> {
  const connection = new Connection(new URL(url), options)
  const giveUp = guard(ignore, () => connection.end('no answer'))
  const late = setTimeout(giveUp, adapterLimits.natsSeconds * 1000)
  const failure = connection.ended.then((error) => Promise.reject(error))
  try {
    await Promise.race([connection.ready, failure])
  } finally {
    clearTimeout(late)
    failure.catch(() => {})
  }
  return connection
}

class Connection implements NatsConnection {
  readonly ready: Promise<void>
  readonly ended: Promise<Error>
  private readonly url: URL
  private readonly options: NatsOptions
  private readonly hostname: string
  private readonly pinging: NodeJS.Timeout
  private socket: Socket
  private unread = Buffer.alloc(0)
  private heardAt = performance.now()
  private isGreeted = false
  private isOver = false
  // Waits for responses to PING, which come in order.
  private readonly waiting: (() => void)[] = []
  /** The numbers of subscriptions below the subject. */
  private readonly below = new Map<string, number>()
  private lastSubscription = 1
  private resolveReady = () => {}
  private resolveEnded: (error: Error) => void = () => {}

  constructor(url: URL, options: NatsOptions) {
    this.url = url
    this.options = options
    this.hostname = url.hostname.replace(/^\[|\]$/g, '')
    this.ready = new Promise((resolve) => {
      this.resolveReady = resolve
    })
    this.ended = new Promise((resolve) => {
      this.resolveEnded = resolve
    })
    this.socket = connect({ host: this.hostname, port: Number(url.port) || defaultPort, noDelay: true })
    this.follow(this.socket)
    const look = guard(this.fail, () => this.lookForLife())
    this.pinging = setInterval(look, pingMs).unref()
  }

  publish(text: string, below?: string) {
    const { name } = this.options
    const subject = below === undefined ? name : `${name}.${below}`
    this.write(`PUB ${subject} ${Buffer.byteLength(text)}\r\n${text}\r\n`)
  }

  subscribe(below: string) {
    if (this.below.has(below)) return
    this.below.set(below, ++this.lastSubscription)
    this.write(`SUB ${this.options.name}.${below} ${this.lastSubscription}\r\n`)
  }

  unsubscribe(below: string) {
    const number = this.below.get(below)
    if (number === undefined) return
    this.below.delete(below)
    this.write(`UNSUB ${number}\r\n`)
  }

  async flush() {
    await Promise.race([this.ping(), this.ended])
  }

  end(reason = 'ended by us', cause?: Error) {
    if (this.isOver) return
    this.isOver = true
    clearInterval(this.pinging)
    this.socket.destroy()
    this.resolveEnded(new Error(`NATS at ${this.url.host}: ${reason}`, cause && { cause }))
  }

  /** A failure here, or in a listener, ends the connection, and another one is made. */
  private readonly fail = (error: Error) => this.end(error.message, error)

  private follow(socket: Socket) {
    const take = guard(this.fail, (chunk: Buffer) => this.take(chunk))
    const close = guard(ignore, () => this.end('the server hung up'))
    socket.on('data', take).on('error', guard(ignore, this.fail)).on('close', close)
  }

  private lookForLife() {
    if (performance.now() - this.heardAt > silenceMs) this.end('the server fell silent')
    else void this.ping()
  }

  private ping() {
    const pong = new Promise<void>((resolve) => this.waiting.push(resolve))
    this.write('PING\r\n')
    return pong
  }

  private write(text: string) {
    if (!this.isOver) this.socket.write(text)
  }

  /** Reads lines, and the content that follows a line about a message. */
  private take(chunk: Buffer) {
    this.heardAt = performance.now()
    this.unread = Buffer.concat([this.unread, chunk])
    while (!this.isOver) {
      const end = this.unread.indexOf('\r\n')
      if (end < 0) break
      const line = this.unread.toString('utf8', 0, end)
      const start = end + 2
      const length = /^MSG\s.*\s(\d+)\s*$/i.exec(line)?.[1]
      const next = length === undefined ? start : start + Number(length) + 2
      if (next > this.unread.length) break
      const text = this.unread.toString('utf8', start, next - 2)
      this.unread = this.unread.subarray(next)
      if (length !== undefined && this.isGreeted) this.options.hear(text)
      else this.obey(line)
    }
    if (this.unread.length > adapterLimits.natsUnreadBytes) this.end('a message is too long')
  }

  private obey(line: string) {
    const [word = ''] = line.split(/\s/, 1)
    const rest = line.slice(word.length).trim()
    const verb = word.toUpperCase()
    if (!this.isGreeted && verb !== 'INFO') this.end('what answers is no NATS server')
    else if (verb === 'INFO') this.greet(rest)
    else if (verb === 'PING') this.write('PONG\r\n')
    else if (verb === 'PONG') this.waiting.shift()?.()
    else if (verb === '-ERR') this.end(`the server says ${rest.slice(0, 200)}`)
    else if (verb !== '+OK') this.end('the server says what NATS does not know')
  }

  /** The server's description comes first, and again whenever it changes. */
  private greet(json: string) {
    if (this.isGreeted) return
    this.isGreeted = true
    const info = infoIn(json)
    if (!info) return this.end('what answers is no NATS server')
    const canSecure = info.tls_required === true || info.tls_available === true
    if (canSecure) return this.secure()
    if (this.url.protocol === 'tls:') return this.end('the server does not offer TLS')
    this.logIn()
  }

  private secure() {
    // Text received before TLS would pass for something that the server had sent encrypted.
    if (this.unread.length > 0) return this.end('the server says too much before TLS')
    const { socket, hostname: host } = this
    const servername = isIP(host) ? undefined : host
    socket.removeAllListeners('data')
    const go = guard(this.fail, () => this.logIn())
    this.socket = connectSecurely({ socket, host, servername, ca: this.options.ca }, go)
    this.follow(this.socket)
  }

  private logIn() {
    const name = decodeURIComponent(this.url.username)
    const pass = decodeURIComponent(this.url.password)
    const login = pass !== '' ? { user: name, pass } : name !== '' ? { auth_token: name } : {}
    const { echo = true } = this.options
    const client = { name: 'rookery', lang: 'node', version: '1', protocol: 1, echo }
    // In one piece: a server that refuses us closes the connection, and a later write would cause the error.
    this.socket.cork()
    this.write(`CONNECT ${JSON.stringify({ verbose: false, pedantic: false, ...client, ...login })}\r\n`)
    this.write(`SUB ${this.options.name} 1\r\n`)
    // Listeners ignore an empty text, but the server immediately reports a missing permission.
    this.publish('')
    void this.ping().then(this.resolveReady)
    this.socket.uncork()
  }
}

function infoIn(json: string): Record<string, unknown> | undefined {
  const info = jsonIn(json)
  return isObject(info) ? info : undefined
}
