import { ComponentError } from '../../lib/component.ts'

/** A mail, complete. Addresses are plain; `sender` is a name to go with the address that the server sends from. */
export type OutgoingMail = {
  to: string
  sender: string
  /** What stands in a list of mails. */
  title: string
  text: string
  html: string | null
  /** What is unique of its Message-ID: the same at every try. */
  messageId: string
  /** Where a POST ends mails of this kind (RFC 8058). */
  unsubscribeUrl: string | null
  /** Seconds since 1970. */
  date: number
}

/**
 * What has become of a mail that was not taken: it can be tried again; it never will be taken; or it may have been taken
 * although nobody said so.
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

/** What hands mails on to the rest of the world. */
export interface MailTransport {
  /**
   * Returns when the next server has taken the mail; throws MailError otherwise. `handOver` is called, and waited for,
   * when that server is ready for the content: until it returns, nothing of that has been said, and if it throws,
   * nothing will be. Takes at most `limits.mailSeconds` from there.
   */
  send(mail: OutgoingMail, handOver: () => Promise<void>): Promise<void>
}
