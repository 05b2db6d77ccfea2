import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import { TLSSocket } from 'node:tls'
import { serverKey, validCertificate } from './certificates.ts'
import type { NatsServerOptions, Running } from './nats-server.ts'

/** A subscriber of a subject. */
type Subscriber = { subject: string; number: string; hear: (subject: string, text: string) => void }

/** The part of a NATS server that is needed to log in, publish and subscribe: no wildcard but `>`, no groups, no headers. */
export async function runSmallNats(port: number, options: NatsServerOptions): Promise<Running> {
  const sockets = new Set<Socket>()
  const subscribers = new Set<Subscriber>()
  let isFrozen = false
  const server = createServer((socket) => {
    sockets.add(socket.on('error', () => {}).on('close', () => sockets.delete(socket)))
    if (!isFrozen) greet(socket, options, subscribers)
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  return {
    async kill() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
    freeze() {
      isFrozen = true
      subscribers.clear()
      for (const socket of sockets) socket.removeAllListeners('data')
    },
  }
}

function greet(plain: Socket, options: NatsServerOptions, subscribers: Set<Subscriber>) {
  const { user, token, tls = false } = options
  const info = { server_id: 'small', version: '2.10.0', proto: 1, headers: true, max_payload: 1_048_576 }
  const wants = { auth_required: Boolean(user || token), tls_required: tls }
  plain.write(`INFO ${JSON.stringify({ ...info, ...wants })} \r\n`)
  const keys = { key: serverKey, cert: validCertificate }
  const socket = tls ? new TLSSocket(plain, { isServer: true, ...keys }) : plain
  socket.on('error', () => {})
  serve(socket, options, subscribers)
}

function serve(socket: Socket, options: NatsServerOptions, subscribers: Set<Subscriber>) {
  const own = new Set<Subscriber>()
  socket.on('close', () => {
    for (const subscriber of own) subscribers.delete(subscriber)
  })
  const refuse = (why: string) => socket.end(`-ERR '${why}'\r\n`)
  const maySay = (operation: 'publish' | 'subscribe', of: string, subject: string) => {
    if (options.user?.mayNot !== operation) return true
    socket.write(`-ERR 'Permissions Violation for ${of} "${subject}"'\r\n`)
    return false
  }
  let isIn = false
  let hearsItself = true
  readLines(socket, ([verb, subject = '', ...rest], text) => {
    if (verb === 'CONNECT') {
      const login = JSON.parse([subject, ...rest].join(' '))
      isIn = mayEnter(login, options)
      hearsItself = login.echo !== false
    }
    if (!isIn) refuse('Authorization Violation')
    else if (verb === 'PING') socket.write('PONG\r\n')
    else if (verb === 'SUB' && maySay('subscribe', 'Subscription to', subject)) {
      const number = rest[0]!
      const hear = (to: string, said: string) =>
        socket.write(`MSG ${to} ${number} ${Buffer.byteLength(said)}\r\n${said}\r\n`)
      own.add({ subject, number, hear })
      for (const subscriber of own) subscribers.add(subscriber)
    } else if (verb === 'UNSUB') {
      for (const subscriber of own) {
        if (subscriber.number !== subject) continue
        own.delete(subscriber)
        subscribers.delete(subscriber)
      }
    } else if (verb === 'PUB' && maySay('publish', 'Publish to', subject)) {
      for (const subscriber of subscribers) {
        const isMeant = covers(subscriber.subject, subject) && (hearsItself || !own.has(subscriber))
        if (isMeant) subscriber.hear(subject, text)
      }
    } else if (!['CONNECT', 'SUB', 'PUB', 'PONG'].includes(verb!)) refuse('Unknown Protocol Operation')
  })
}

function covers(pattern: string, subject: string) {
  return pattern.endsWith('.>') ? subject.startsWith(pattern.slice(0, -1)) : pattern === subject
}

function mayEnter(login: Record<string, unknown>, { user, token }: NatsServerOptions): boolean {
  if (user) return login.user === user.name && login.pass === user.password
  return token === undefined || login.auth_token === token
}

/** Reads lines of words, with the text that follows those of PUB. */
function readLines(socket: Socket, obey: (words: string[], text: string) => void) {
  let unread = ''
  socket.on('data', (chunk) => {
    unread += chunk.toString('latin1')
    for (;;) {
      const end = unread.indexOf('\r\n')
      if (end < 0) return
      const words = unread.slice(0, end).trim().split(/\s+/)
      const start = end + 2
      const length = words[0] === 'PUB' ? Number(words.at(-1)) + 2 : 0
      if (unread.length < start + length) return
      const text = Buffer.from(unread.slice(start, start + length - 2), 'latin1').toString()
      unread = unread.slice(start + length)
      obey(words, length > 0 ? text : '')
    }
  })
}
