/** A mail that another server hands over: its envelope, and its content as it came. */
export type IncomingMail = {
  /** The address for reports of failures; empty if the mail is itself such a report. */
  returnPath: string
  recipients: string[]
  content: Uint8Array<ArrayBuffer>
}

/**
 * The reason why a mail is not accepted. The sender reads the text. With a status below 500, the other server tries
 * again later.
 */
export class MailRefusal extends Error {
  override name = 'MailRefusal'
  readonly responseCode: number

  constructor(responseCode: 451 | 452 | 550 | 552 | 554, message: string, cause?: unknown) {
    super(message, { cause })
    this.responseCode = responseCode
  }
}

/** Receives incoming mails. */
export interface MailReceiver {
  /** Throws MailRefusal unless mail to this address is accepted now. */
  checkRecipient(address: string): Promise<void>
  /** Resolves when the mail is durable, or will never be missed; throws MailRefusal otherwise. */
  take(mail: IncomingMail): Promise<void>
  /** Logs a failure that the other server cannot understand. */
  report(error: unknown): void
}
