import { ComponentError } from '../../lib/component.ts'

/** A mail, complete. Addresses are plain; `sender` is a name to go with the address that the server sends from. */
export type OutgoingMail = {
  to: string
  sender: string
  /** The text for a list of mails. */
  title: string
  text: string
  html: string | null
  /** The unique part of its Message-ID: the same at every attempt. */
  messageId: string
  /** The address for a POST that unsubscribes from mails of this kind (RFC 8058). */
  unsubscribeUrl: string | null
  /** The address for replies, if they go to another one than that which the server sends from. */
  replyTo?: string | null
  /** Seconds since 1970. */
  date: number
}

/**
 * The fate of a mail that was not accepted: it can be retried; it never will be accepted; or it may have been accepted
 * without confirmation.
 */
type MailFate = 'temporary' | 'permanent' | 'uncertain'

/** A mail was not handed over. Its message is a sentence for the admin. */
export class MailError extends ComponentError {
  override name = 'MailError'
  readonly fate: MailFate

  constructor(message: string, fate: MailFate, cause?: unknown) {
    super('mail server', message, cause)
    this.fate = fate
  }
}

/** Sends mails to their servers. */
export interface MailTransport {
  /**
   * Resolves when the next server has accepted the mail; throws MailError otherwise. `handOver` is called, and awaited,
   * when that server is ready for the content: until it returns, no content is sent, and if it throws, none will be.
   * Takes at most `limits.mailSeconds` from there.
   */
  send(mail: OutgoingMail, handOver: () => Promise<void>): Promise<void>
}
