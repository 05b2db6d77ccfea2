import { once } from 'node:events'
import type { AddressInfo, Socket } from 'node:net'
import { buffer } from 'node:stream/consumers'
import PostalMime, { type Email } from 'postal-mime'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import { afterAll, beforeAll, expect, vi } from 'vitest'
import type { MailTransport } from '../../src/adapters/mail/mail-transport.ts'
import { smtpTransport } from '../../src/adapters/mail/smtp.ts'
import type { Organization } from '../organization.ts'
import { testServer } from '../test-server.ts'

/** A mail as it came in: parsed, and the addresses of its envelope. */
export type ReceivedMail = Email & { envelope: { from: string; to: string[] } }

/** The server's action at a step of receiving a mail: nothing special, refuse, wait. */
type Step = () => Promise<void> | void

/** A real mail server on a port of its own, which records the mails. */
export class MailServer {
  readonly mails: ReceivedMail[] = []
  /** Runs at each RCPT, and at each mail before it is acknowledged; its content has arrived by then. */
  onRecipient: Step = () => {}
  onContent: Step = () => {}
  private server: SMTPServer | undefined
  private readonly sockets = new Set<Socket>()

  /** Runs the nodes' due work, so that tests do not wait for their next poll. */
  workOff: () => Promise<void> = async () => {}

  /**
   * Starts on this port, or a free one; with other options than to accept everything from all clients in plain text.
   */
  async start(port = 0, options: SMTPServerOptions = {}) {
    this.server = new SMTPServer({
      authOptional: true,
      disabledCommands: ['STARTTLS'],
      logger: false,
      onRcptTo: (_address, _session, callback) => settle(() => this.onRecipient(), callback),
      onData: (stream, session, callback) => {
        settle(async () => {
          const { mailFrom, rcptTo } = session.envelope
          const from = mailFrom ? mailFrom.address : ''
          const envelope = { from, to: rcptTo.map(({ address }) => address) }
          const mail = { ...(await PostalMime.parse(await buffer(stream))), envelope }
          await this.onContent()
          this.mails.push(mail)
        }, callback)
      },
      ...options,
    })
    this.server.on('error', () => {})
    this.server.listen(port, '127.0.0.1')
    this.server.server.on('connection', (socket: Socket) => {
      this.sockets.add(socket)
      socket.on('close', () => this.sockets.delete(socket))
    })
    await once(this.server.server, 'listening')
  }

  get port() {
    return (this.server!.server.address() as AddressInfo).port
  }

  get url() {
    return `smtp://127.0.0.1:${this.port}`
  }

  /** The transport to this server, which need not run yet. */
  get transport(): MailTransport {
    return {
      send: (mail, handOver) => smtpTransport(this.url, 'noreply@chat.test').send(mail, handOver),
    }
  }

  to(address: string): ReceivedMail[] {
    return this.mails.filter((mail) => mail.envelope.to.includes(address))
  }

  /** Waits for the only mail to an address, or until there are `count` of them. */
  async awaitMails(address: string, count = 1): Promise<ReceivedMail[]> {
    await this.workOff()
    await vi.waitFor(() => expect(this.to(address)).toHaveLength(count), { timeout: 20_000, interval: 50 })
    return this.to(address)
  }

  async awaitMail(address: string): Promise<ReceivedMail> {
    const [mail] = await this.awaitMails(address)
    return mail!
  }

  /** Ends open connections without notice. */
  breakConnections() {
    for (const socket of this.sockets) socket.destroy()
  }

  async stop() {
    await new Promise<void>((resolve) => this.server!.close(() => resolve()))
  }
}

/** Sets up a test server whose nodes send mails to a running mail server. */
export function worldOfMail(log?: (line: string) => void) {
  const server = new MailServer()
  const all = testServer({ adapters: { mail: server.transport }, ...(log && { log }) })
  server.workOff = all.workOff
  beforeAll(() => server.start())
  afterAll(() => server.stop())
  return { all, server }
}

let harbours = 0

/** Returns Anna, Ben and Carl, whose addresses no other test uses, and a channel of theirs. */
export async function harbourOfThree(org: Organization) {
  const number = ++harbours
  const person = (name: string) => org.person({ name, email: `${name.toLowerCase()}${number}@example.com` })
  const [anna, ben, carl] = [await person('Anna'), await person('Ben'), await person('Carl')]
  const channel = await org.channel({ name: 'harbour', subscribers: [anna, ben, carl] })
  return { org, anna, ben, carl, channel }
}

/** A refusal as SMTP sends it. */
export function refusal(code: number, message: string) {
  return Object.assign(new Error(message), { responseCode: code })
}

function settle(work: () => Promise<void> | void, callback: (error?: Error | null) => void) {
  Promise.resolve()
    .then(work)
    .then(() => callback(), callback)
}

/** Returns the path, below the organization's address, of a link in a mail that begins with `start`. */
export function linkIn(mail: ReceivedMail, start: string): string {
  const [, path] = new RegExp(`https?://[^/\\s]+(${start}[\\w-]+)`).exec(mail.text ?? '') ?? []
  if (!path) throw new Error(`no link to ${start} in:\n${mail.text}`)
  return path
}
