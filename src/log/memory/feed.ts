import { ByteBudget } from '../../lib/collections/byte-budget.ts'
import type { Entry } from '../entry.ts'
import { logLimits } from '../limits.ts'
import { changedBy } from './message-changes.ts'
import { MessageMemory } from './message-memory.ts'
import { indexOfMessage } from './message-place.ts'
import type { Placed } from './relations.ts'

/** The fields of a message in memory that the feed itself reads. */
type Held = Placed & { readonly sender_id: number }

/** The slot of one of the newest messages. `message`: the message, if a reader has needed it since the slot was last emptied. */
export type FeedSlot<Message extends Held = Held> = {
  readonly id: number
  recipient_id: number
  /** The number of its conversation; see `numberOf`. */
  conversation: number
  message: Message | undefined
}

/** The form in which a caller keeps messages. */
type FeedForm<Message extends Held> = {
  /** Returns the message with the body of its entry. */
  take(body: unknown, feed: Feed): Message
  /** Roughly how many bytes a message takes in memory. */
  sizeOf(message: Message): number
}

/** The bytes of a slot without its message. */
const bytesOfSlot = 64

const budget = new ByteBudget<Feed>(logLimits.feedBytes, logLimits.feedBytesOfOrganization)

/**
 * The newest messages of an organization in all conversations, kept true to the log: an entry adds the message that it announces, and empties
 * the slots of messages that it may have changed.
 */
export class Feed extends MessageMemory {
  /** The slots of the newest messages, in ascending order and without a gap; undefined until `keep` is called. */
  private slots: FeedSlot[] | undefined
  private hasAll = false
  private form: FeedForm<Held> | undefined
  private readonly numbers = new Map<number, number>()
  private readonly share = budget.share(() => this.clear())
  private changes = 0
  private pages = 0

  /** How many messages and bytes are in memory, and how many pages were made of them. */
  get use(): { messages: number; bytes: number; pages: number } {
    return { messages: this.slots?.length ?? 0, bytes: this.share.bytes, pages: this.pages }
  }

  countPage() {
    this.pages++
  }

  get<Message extends Held>(): readonly FeedSlot<Message>[] | undefined {
    this.share.use(this)
    return this.slots as FeedSlot<Message>[] | undefined
  }

  /** Whether the organization has no older messages than these. */
  get isWhole(): boolean {
    return this.hasAll
  }

  /**
   * Returns the number of a conversation, undefined if no slot is in it. The numbers are small, so that an array can hold a value for each
   * conversation. They are valid until the next entry.
   */
  numberOf(recipient: number): number | undefined {
    return this.numbers.get(recipient)
  }

  /** An upper bound of these numbers, which begin with 0. */
  get numberCount(): number {
    return this.numbers.size
  }

  /** A number that rises whenever slots are emptied or removed. */
  get version(): number {
    return this.changes
  }

  /** Begins with the newest messages that the database had, in ascending order. The state must have folded the log at least as far. */
  keep<Message extends Held>(messages: readonly Placed[], form: FeedForm<Message>) {
    if (this.isClosed || this.slots) return
    this.slots = messages.map(({ id, recipient_id }) => this.slotFor(id, recipient_id))
    this.hasAll = messages.length < logLimits.newestOfOrganization
    this.form = form as unknown as FeedForm<Held>
    this.grow(bytesOfSlot * messages.length)
  }

  /** Fills slots with messages that were read since `version` had this value; does nothing if it has changed. */
  fill(messages: readonly Held[], version: number) {
    if (version !== this.changes) return
    for (const message of messages) {
      const slot = this.find(message.id)
      // Another node may have moved it.
      if (!slot || slot.message || slot.recipient_id !== message.recipient_id) continue
      slot.message = message
      this.grow(this.sizeOf(slot))
    }
  }

  /** Adds the bytes of a part of a message that was loaded later. */
  charge(id: number, bytes: number) {
    if (this.find(id)?.message) this.grow(bytes)
  }

  /** Forgets everything. Messages that are being read are not kept either. */
  clear() {
    this.slots = undefined
    this.numbers.clear()
    this.changes++
    this.share.remove(this)
  }

  /** Carries the feed forward by an entry of the log. */
  fold({ audience, event, body }: Entry) {
    if (!this.slots) return
    if (audience?.message) this.add(audience.message, body as { recipient: number | null } | undefined)
    const { message_ids = [], move, moved_to } = (event ?? {}) as object as MoveEvent
    switch (event?.type as string | undefined) {
      case 'update_message':
        return this.change(message_ids, move?.to_recipient)
      case 'delete_message':
        return moved_to === undefined ? this.remove(message_ids) : this.change(message_ids, moved_to)
      default:
        return this.change(changedBy(event).ids)
    }
  }

  private add({ id, recipient }: { id: number; recipient: number }, body?: { recipient: number | null }) {
    const slots = this.slots!
    // The database had it already when the others were looked up.
    if (id <= (slots.at(-1)?.id ?? 0)) return
    const message = body?.recipient === recipient ? this.form!.take(body, this) : undefined
    const slot = this.slotFor(id, recipient, message)
    slots.push(slot)
    this.grow(bytesOfSlot + this.sizeOf(slot))
  }

  private change(ids: readonly number[], recipient?: number) {
    for (const id of ids) {
      const slot = this.find(id)
      if (!slot) continue
      this.empty(slot)
      if (recipient !== undefined) {
        slot.recipient_id = recipient
        slot.conversation = this.numberFor(recipient)
      }
    }
    // A query under way may have read them already.
    if (ids.length > 0) this.changes++
  }

  private remove(ids: readonly number[]) {
    const gone = new Set(ids)
    for (const id of ids) {
      const slot = this.find(id)
      if (slot) this.grow(-bytesOfSlot - this.sizeOf(slot))
    }
    this.slots = this.slots?.filter(({ id }) => !gone.has(id))
    this.changes++
  }

  private slotFor(id: number, recipient_id: number, message?: Held): FeedSlot {
    return { id, recipient_id, conversation: this.numberFor(recipient_id), message }
  }

  private numberFor(recipient: number): number {
    // Most of the numbered conversations may have no slots any more.
    if (this.numbers.size >= 2 * logLimits.newestOfOrganization) this.numberAnew()
    const number = this.numbers.get(recipient) ?? this.numbers.size
    this.numbers.set(recipient, number)
    return number
  }

  private numberAnew() {
    this.numbers.clear()
    for (const slot of this.slots ?? []) slot.conversation = this.numberFor(slot.recipient_id)
  }

  private empty(slot: FeedSlot) {
    this.grow(-this.sizeOf(slot))
    slot.message = undefined
  }

  private find(id: number): FeedSlot | undefined {
    const index = this.slots ? indexOfMessage(this.slots, id) : -1
    return this.slots?.[index]
  }

  private sizeOf({ message }: FeedSlot): number {
    return message ? this.form!.sizeOf(message) : 0
  }

  private grow(bytes: number) {
    let more = bytes
    let count = 0
    const slots = this.slots!
    const tooMany = slots.length - logLimits.newestOfOrganization
    const most = logLimits.feedBytesOfOrganization
    while (count < slots.length && (count < tooMany || this.share.bytes + more > most)) {
      more -= bytesOfSlot + this.sizeOf(slots[count++]!)
    }
    if (count > 0) {
      slots.splice(0, count)
      this.hasAll = false
    }
    this.share.grow(this, more)
  }
}

/** The fields that events about changed messages may have. */
type MoveEvent = { message_ids?: number[]; move?: { to_recipient?: number }; moved_to?: number }
