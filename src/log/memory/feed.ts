import { ByteBudget } from '../../lib/collections/byte-budget.ts'
import type { Entry } from '../entry.ts'
import { logLimits } from '../limits.ts'
import { changedBy } from './message-changes.ts'
import { MessageMemory } from './message-memory.ts'
import { indexOfMessage } from './message-place.ts'
import type { Placed } from './relations.ts'

/** The part of a message that is kept in memory. */
type Held = Placed & { readonly sender_id: number }

/** One of the newest messages of an organization, and what is held of it, if someone has read it. */
export type FeedSlot<Message extends Held = Held> = {
  readonly id: number
  recipient_id: number
  /** The number of its conversation; see `numberOf`. */
  conversation: number
  message: Message | undefined
}

/** How messages are kept in memory. */
type FeedForm<Message extends Held> = {
  /** Makes a message out of the body of the entry with which it was sent. */
  take(body: unknown, feed: Feed): Message
  /** Roughly how many bytes a message takes in memory. */
  sizeOf(message: Message): number
}

/** The bytes of a slot without its message. */
const bytesOfSlot = 64

const budget = new ByteBudget<Feed>(logLimits.feedBytes, logLimits.feedBytesOfOrganization)

/**
 * The newest messages of an organization, whatever conversation they are in, true to the log: every entry adds the message
 * that it tells of, and empties the slots of those that it may have changed.
 */
export class Feed extends MessageMemory {
  /** In order and without a gap; undefined until they are looked up. */
  private slots: FeedSlot[] | undefined
  private hasAll = false
  private form: FeedForm<Held> | undefined
  private readonly numbers = new Map<number, number>()
  private readonly share = budget.share(() => this.clear())
  private changes = 0
  private pages = 0

  /** How much is in memory, and how many pages were made of it. */
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

  /** Whether there are no older messages. */
  get isWhole(): boolean {
    return this.hasAll
  }

  /**
   * Returns the number of a conversation: all numbers are small, so that what a reader has to do with each conversation can
   * stand in an array. Undefined if no slot is in it. They hold until the next entry.
   */
  numberOf(recipient: number): number | undefined {
    return this.numbers.get(recipient)
  }

  /** More than any of these numbers. */
  get numberCount(): number {
    return this.numbers.size
  }

  /** Rises when slots are emptied or removed. */
  get version(): number {
    return this.changes
  }

  /** Keeps the messages that the database had, in ascending order. The log must have been folded in at least as far. */
  keep<Message extends Held>(messages: readonly Placed[], form: FeedForm<Message>) {
    if (this.isClosed || this.slots) return
    this.slots = messages.map(({ id, recipient_id }) => this.slotFor(id, recipient_id))
    this.hasAll = messages.length < logLimits.newestOfOrganization
    this.form = form as unknown as FeedForm<Held>
    this.grow(bytesOfSlot * messages.length)
  }

  /** Fills slots with what was read of their messages while `version` was this one. */
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

  /** Forgets everything, also what is being read. */
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
