import { connect, type Socket } from 'node:net'
import { afterAll, beforeAll } from 'vitest'
import { listenForMail, type MailListener } from '../../src/adapters/mail/mail-listener.ts'
import type { MailTransport } from '../../src/adapters/mail/mail-transport.ts'
import type { Person } from '../person.ts'
import { testServer } from '../test-server.ts'

/** The domain of the addresses of test servers that take mail. */
export const mailDomain = 'in.chat.test'

type MailIn = {
  limited?: boolean
  log?: (line: string) => void
  uploadQuotaMib?: number
  /** How mails go out; by default, they wait. */
  adapters?: { mail: MailTransport }
}

/** Sets up a test server that takes mail. */
export function worldOfIncomingMail({ limited = false, ...options }: MailIn = {}) {
  const all = testServer({ mailInDomain: mailDomain, rateLimits: limited, ...options })
  let listener: MailListener
  beforeAll(async () => {
    const receiver = await all.node.app.mailReceiver()
    listener = await listenForMail({ host: '127.0.0.1', port: 0, name: mailDomain, receiver })
  })
  afterAll(() => listener.close())
  return {
    all,
    /** The port of the first node. */
    get port() {
      return listener.port
    },
    /** Hands a mail over; returns the last reply of the server. */
    deliver: (mail: SentMail) => deliver(listener.port, mail),
  }
}

type SentMail = {
  from?: string
  to: string | string[]
  /** Lines of the head, beside the usual ones. */
  headers?: string[]
  /** The body, or the whole content if it is given as bytes. */
  body?: string | Buffer
}

let sent = 0

/** Hands a mail over to a server. Returns its first refusal, or its reply to the whole. */
export async function deliver(
  port: number,
  { from = 'zoe@example.org', to, headers = [], body = '' }: SentMail,
) {
  const client = await SmtpClient.open(port)
  try {
    const commands = [
      'EHLO client.test',
      `MAIL FROM:<${from}>`,
      ...[to].flat().map((one) => `RCPT TO:<${one}>`),
      'DATA',
    ]
    for (const command of commands) {
      const reply = await client.ask(command)
      if (reply.code >= 400) return reply
    }
    const has = (name: string) => headers.some((line) => line.toLowerCase().startsWith(`${name}:`))
    const usual = [
      ...(has('from') ? [] : ['From: Zoe Zander <zoe@example.org>']),
      ...(has('subject') ? [] : ['Subject: Boats']),
      ...(has('message-id') ? [] : [`Message-ID: <${++sent}.${process.pid}@example.org>`]),
    ]
    const content =
      typeof body === 'string'
        ? [...usual, ...headers, '', body].join('\r\n').replaceAll(/^\./gm, '..')
        : body
    return await client.ask(Buffer.concat([Buffer.from(content), Buffer.from('\r\n.')]))
  } finally {
    client.close()
  }
}

type Reply = { code: number; text: string }

/** Speaks SMTP, line by line. */
export class SmtpClient {
  readonly socket: Socket
  private received = ''
  private isClosed = false
  private wake = () => {}

  private constructor(port: number) {
    this.socket = connect(port, '127.0.0.1')
    this.socket.setEncoding('utf8')
    this.socket.on('data', (text) => {
      this.received += text
      this.wake()
    })
    this.socket.on('error', () => {})
    this.socket.on('close', () => {
      this.isClosed = true
      this.wake()
    })
  }

  /** Connects, and waits for the greeting. */
  static async open(port: number): Promise<SmtpClient> {
    const client = new SmtpClient(port)
    const { code, text } = await client.reply()
    if (code !== 220) throw new Error(`refused: ${code} ${text}`)
    return client
  }

  ask(line: string | Buffer): Promise<Reply> {
    this.socket.write(line)
    this.socket.write('\r\n')
    return this.reply()
  }

  /** Waits for a reply, which may have several lines. */
  async reply(): Promise<Reply> {
    for (;;) {
      const [all, code] = /^(?:\d{3}-.*\r\n)*(\d{3}) .*\r\n/.exec(this.received) ?? []
      if (all) {
        this.received = this.received.slice(all.length)
        return { code: Number(code), text: all.trim() }
      }
      if (this.isClosed) throw new Error('the server has closed the connection')
      await new Promise<void>((resolve) => {
        this.wake = resolve
      })
    }
  }

  close() {
    this.socket.destroy()
  }
}

/** Returns the address of a channel that a user gets; as whom its mails are posted, if not as the gateway. */
export async function addressOf(who: Person, channelId: number, senderId?: number): Promise<string> {
  const { body } = await who.get(
    `/streams/${channelId}/email_address`,
    senderId ? { sender_id: senderId } : {},
  )
  return body.email
}
