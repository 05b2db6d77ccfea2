/** A mail that another server hands over: its envelope, and its content as it came. */
export type IncomingMail = {
  /** Where failures are to be reported; empty for a mail that reports one itself. */
  returnPath: string
  recipients: string[]
  content: Uint8Array<ArrayBuffer>
}

/** Why a mail is not taken. The sender reads the text. With a status below 500, the other server tries again later. */
export class MailRefusal extends Error {
  override name = 'MailRefusal'
  readonly responseCode: number

  constructor(responseCode: 451 | 452 | 550 | 552 | 554, message: string, cause?: unknown) {
    super(message, { cause })
    this.responseCode = responseCode
  }
}

/** Takes mails that come in. */
export interface MailReceiver {
  /** Throws MailRefusal unless mail to this address is taken now. */
  checkRecipient(address: string): Promise<void>
  /** Resolves when the mail is durable, or will never be missed; throws MailRefusal otherwise. */
  take(mail: IncomingMail): Promise<void>
  /** Logs a failure that the other server cannot understand. */
  report(error: unknown): void
}
