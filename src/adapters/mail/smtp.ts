import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import type SmtpConnection from 'nodemailer/lib/smtp-connection'
import { isLocalHost } from '../../lib/network/is-local-host.ts'
import { adapterLimits } from '../limits.ts'
import { MailError, type MailTransport, type OutgoingMail } from './mail-transport.ts'

/** The server's refusal, as nodemailer passes it on. */
type SmtpFailure = Error & { responseCode?: number; command?: string; response?: string }

/**
 * Hands mails to the SMTP server at a URL (smtp: or smtps:, with a user and a password if it wants them), one
 * connection each. Where the server offers TLS, mails go through it; passwords to another machine go through nothing else. The
 * certificate must hold, unless the server is on the same machine.
 */
export function smtpTransport(url: string, from: string): MailTransport {
  return {
    async send(mail, handOver) {
      const content = await composeMail(mail, from)
      const connection = await connect(new URL(url))
      try {
        const envelope = { from, to: [mail.to], size: content.length }
        await transmit(connection, envelope, content, handOver)
        connection.quit()
      } catch (error) {
        connection.close()
        throw error
      }
    },
  }
}

/** Connects and logs in as for a mail, and sends none. Throws MailError. */
export async function trySmtp(url: string): Promise<void> {
  const connection = await connect(new URL(url))
  connection.quit()
}

async function composeMail(mail: OutgoingMail, from: string): Promise<Buffer> {
  const { default: MailComposer } = await import('nodemailer/lib/mail-composer')
  const unsubscribe = mail.unsubscribeUrl && {
    'List-Unsubscribe': `<${mail.unsubscribeUrl}>`,
    'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
  }
  const composer = new MailComposer({
    from: { name: mail.sender, address: from },
    to: { name: '', address: mail.to },
    ...(mail.replyTo && { replyTo: { name: mail.sender, address: mail.replyTo } }),
    subject: mail.title,
    text: mail.text,
    ...(mail.html !== null && { html: mail.html }),
    date: new Date(mail.date * 1000),
    messageId: `<${mail.messageId}@${from.slice(from.lastIndexOf('@') + 1)}>`,
    headers: {
      // Keeps absence notices from being sent to us.
      'Auto-Submitted': 'auto-generated',
      // A server that takes mail drops those of its own kind, so that no mail goes round.
      'X-Mailer': 'Rookery',
      ...unsubscribe,
    },
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  return composer.compile().build()
}

/** A connection that is ready for a mail: greeted, encrypted, logged in as far as the URL says. */
async function connect(url: URL): Promise<SmtpConnection> {
  const { default: Connection } = await import('nodemailer/lib/smtp-connection')
  const secure = url.protocol === 'smtps:'
  const isHere = isLocalHost(url.hostname)
  const connection = new Connection({
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: Number(url.port) || (secure ? 465 : url.username ? 587 : 25),
    secure,
    // TLS is used wherever the server offers it: some refuse mail without. Within the machine, the certificate does not matter.
    ...(isHere && !secure && { tls: { rejectUnauthorized: false } }),
    requireTLS: !isHere && !secure && url.username !== '',
    connectionTimeout: adapterLimits.mailConnectSeconds * 1000,
    greetingTimeout: adapterLimits.mailConnectSeconds * 1000,
    dnsTimeout: adapterLimits.mailConnectSeconds * 1000,
    socketTimeout: adapterLimits.mailSeconds * 1000,
  })
  const failed = new Promise<never>((_, reject) => connection.on('error', reject))
  // Later failures are reported to whatever waits then.
  failed.catch(() => {})
  try {
    await Promise.race([new Promise<void>((resolve) => connection.connect(() => resolve())), failed])
    if (url.username) await Promise.race([logIn(connection, url), failed])
    return connection
  } catch (error) {
    connection.close()
    throw failureOf(error as SmtpFailure, false)
  }
}

function logIn(connection: SmtpConnection, { username, password }: URL): Promise<void> {
  const user = decodeURIComponent(username)
  const pass = decodeURIComponent(password)
  return new Promise((resolve, reject) => {
    connection.login({ user, pass, credentials: { user, pass } }, (error) =>
      error ? reject(error) : resolve(),
    )
  })
}

/** The content is asked for when the server is ready to take it; its end is only said after all of it. */
async function transmit(
  connection: SmtpConnection,
  envelope: { from: string; to: string[]; size: number },
  content: Buffer,
  handOver: () => Promise<void>,
): Promise<void> {
  let refusal: unknown
  let contentIsOut = false
  async function* pieces() {
    await handOver().catch((error) => {
      refusal = error
      throw error
    })
    yield content
    contentIsOut = true
  }
  const stream = Readable.from(pieces(), { objectMode: false, highWaterMark: 1 })
  const late = new AbortController()
  try {
    await Promise.race([
      new Promise<void>((resolve, reject) => {
        connection.send(envelope, stream, (error) => (error ? reject(error) : resolve()))
      }),
      sleep(adapterLimits.mailSeconds * 1000, undefined, { ref: false, signal: late.signal }).then(() => {
        throw new Error('The server did not answer in time.')
      }),
    ])
  } catch (error) {
    throw refusal ?? failureOf(error as SmtpFailure, contentIsOut)
  } finally {
    late.abort()
  }
}

/**
 * Classifies a failure. An unknown address, or an unwanted mail, is permanent. The admin can fix other refusals (a
 * login, a sender). Without a response to the whole mail, its delivery is uncertain.
 */
function failureOf(error: SmtpFailure, contentIsOut: boolean): MailError {
  const said = error.response ?? error.message
  if (error.responseCode === undefined && contentIsOut) {
    return new MailError(`The mail was not acknowledged: ${said}`, 'uncertain', error)
  }
  const isAboutTheMail = error.command === 'RCPT TO' || error.command === 'DATA'
  const isForGood = isAboutTheMail && (error.responseCode ?? 0) >= 500
  return new MailError(said, isForGood ? 'permanent' : 'temporary', error)
}
