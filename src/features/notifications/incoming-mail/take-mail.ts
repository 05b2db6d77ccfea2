import type { Logger } from 'pino'
import { type IncomingMail, type MailReceiver, MailRefusal } from '../../../adapters/mail/mail-receiver.ts'
import { ApiError } from '../../../lib/api-error.ts'
import { FairSemaphore, NoFreeSlot } from '../../../lib/async/fair-semaphore.ts'
import type { Observer } from '../../../lib/observer.ts'
import { bucketsPerNode } from '../../../lib/token-bucket.ts'
import type { RealmLog } from '../../../log/realm-log.ts'
import { NoSuchRealm } from '../../../log/realm-places.ts'
import { type MailPurpose, purposeOf } from '../../kernel/mail/incoming-address.ts'
import { type MailTarget, noSuchAddress, targetOf } from './destination.ts'
import { incomingMailLimits } from './limits.ts'
import { type MailServices, postMail, refusalOf } from './post-mail.ts'
import { readInProcess, UnreadableMail } from './read-in-process.ts'
import type { ReadMail } from './read-mail.ts'

/** The outcome of a mail to one address. */
type MailOutcome = 'posted' | 'repeated' | 'dropped' | 'refused' | 'failed'

type MailOptions = MailServices & {
  logger: Pick<Logger, 'info' | 'warn'>
  observer?: Pick<Observer, 'mailed'> | undefined
  report(error: unknown): void
  /** Whether mails are limited in number. */
  isLimited: boolean
}

/** A resolved address, in an organization that this node has loaded. */
type Recipient = { log: RealmLog; purpose: MailPurpose; target: MailTarget }

/** Posts incoming mails. No mail is posted twice, even if it arrives again or at another node. */
export class PostingReceiver implements MailReceiver {
  private readonly options: MailOptions
  private readonly reading = new FairSemaphore(incomingMailLimits.concurrentReads, 1, {
    most: incomingMailLimits.readWaiting,
    each: incomingMailLimits.readWaitingEach,
  })

  constructor(options: MailOptions) {
    this.options = options
  }

  report(error: unknown) {
    this.options.report(error)
  }

  async checkRecipient(address: string) {
    try {
      const { log, purpose } = await this.recipientAt(address)
      if (this.options.isLimited) this.count(log, purpose)
    } catch (error) {
      if (error instanceof MailRefusal) this.options.observer?.mailed('refused')
      throw refusalOf(error)
    }
  }

  async take({ returnPath, recipients, content }: IncomingMail) {
    // A report of a failed delivery has no return path, and must not cause another report.
    if (returnPath === '') {
      for (const address of recipients) this.note('dropped', await this.recipientAt(address))
      return
    }
    const mail = await this.read(content, recipients)
    const failures: unknown[] = []
    for (const address of recipients) {
      await this.takeFor(address, mail).catch((error) => failures.push(refusalOf(error)))
    }
    // If any failure is temporary, the sender repeats the whole mail.
    const worst = failures.find((error) => !isForGood(error)) ?? failures[0]
    if (worst !== undefined) throw worst
  }

  private async read(content: Uint8Array<ArrayBuffer>, recipients: string[]): Promise<ReadMail> {
    const realmId = recipients.map((address) => purposeOf(this.options.site, address)?.realmId).find(Boolean)
    const caller = { group: String(realmId), name: '' }
    try {
      return await this.reading.run(caller, incomingMailLimits.readWaitSeconds, undefined, () =>
        readInProcess(content),
      )
    } catch (error) {
      if (error instanceof NoFreeSlot) throw new MailRefusal(451, 'Too many mails at the moment')
      if (!(error instanceof UnreadableMail)) throw error
      this.options.logger.warn({ realmId, reason: error.reason }, 'an incoming mail cannot be read')
      this.options.observer?.mailed('refused')
      throw new MailRefusal(554, 'The mail cannot be read')
    }
  }

  private async takeFor(address: string, mail: ReadMail) {
    let recipient: Recipient | undefined
    try {
      recipient = await this.recipientAt(address)
      const isUnwanted =
        mail.isOurs || mail.isAutomaticReply || (recipient.target.kind === 'reply' && mail.isAutomatic)
      const outcome = isUnwanted ? 'dropped' : await postMail(this.options, { ...recipient, mail })
      this.note(outcome, recipient)
    } catch (error) {
      const refusal = refusalOf(error)
      if (recipient) this.note(isForGood(refusal) ? 'refused' : 'failed', recipient)
      throw error
    }
  }

  /**
   * Resolves an address. Throws MailRefusal if it accepts no mail, even after reading what other nodes have written.
   */
  private async recipientAt(address: string): Promise<Recipient> {
    const { realms, site } = this.options
    const purpose = purposeOf(site, address)
    if (!purpose) throw noSuchAddress()
    const log = await realms.byId(purpose.realmId).catch((error) => {
      throw error instanceof NoSuchRealm ? noSuchAddress() : error
    })
    const look = async () => {
      const target = await targetOf({ realm: log.state, read: log.database.read, site }, purpose)
      return { log, purpose, target }
    }
    const since = log.readUpTo
    try {
      return await look()
    } catch (error) {
      if (!(error instanceof MailRefusal)) throw error
      await log.catchUpIfBehind()
      if (!log.hasNewsSince(since)) throw error
      return look()
    }
  }

  /** Throws MailRefusal if a channel, a user or an organization gets too many mails. */
  private count({ state: { id } }: RealmLog, purpose: MailPurpose) {
    const { site } = this.options
    const place = purpose.kind === 'channel' ? `channel ${purpose.channelId}` : `user ${purpose.userId}`
    const allowed =
      bucketsOfPlaces(site).take(`${id} ${place}`).allowed && bucketsOfRealms(site).take(id).allowed
    if (!allowed) throw new MailRefusal(451, 'Too many mails to this address')
  }

  /** Logs the outcome of a mail, without its contents. */
  private note(outcome: MailOutcome, { log, purpose }: Recipient) {
    const { logger, observer } = this.options
    observer?.mailed(outcome)
    const place = purpose.kind === 'channel' ? { channelId: purpose.channelId } : { userId: purpose.userId }
    logger.info({ realmId: log.state.id, ...place, outcome }, 'incoming mail')
  }
}

const bucketsOfPlaces = bucketsPerNode('incoming mails', incomingMailLimits.mailsPerMinute, 60)
const bucketsOfRealms = bucketsPerNode(
  'incoming mails of organizations',
  incomingMailLimits.mailsOfRealmPerMinute,
  60,
)

function isForGood(error: unknown): boolean {
  if (error instanceof MailRefusal) return error.responseCode >= 500
  return error instanceof ApiError && error.status < 429
}
