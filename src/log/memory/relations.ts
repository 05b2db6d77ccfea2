import type { Interval } from '../../db/values.ts'
import { ByteBudget } from '../../lib/collections/byte-budget.ts'
import type { Entry, RowImage } from '../entry.ts'
import { logLimits } from '../limits.ts'
import { changedBy } from './message-changes.ts'
import { MessageMemory } from './message-memory.ts'

/** The read state and flags of a reader among the newest messages of a conversation. */
export type Relation = {
  /** The id of the first message that it covers. */
  readonly from: number
  /** The reader has read all messages of the conversation with a lower id. */
  readUpTo: number
  /** The ids of the messages that the reader had read when this was looked up. */
  readonly read: Interval[]
  /** Whether the reader has read a message, for messages where that may have changed since. */
  readonly readSince: Map<number, boolean>
  /** The reader's flags by message, in alphabetical order. */
  readonly flags: Map<number, readonly string[]>
}

/** A message, and the conversation that it is in. */
export type Placed = { readonly id: number; readonly recipient_id: number }

type Reader = {
  readonly id: number
  readonly relations: Map<number, Relation>
  /** Messages of channels that the reader has flags on or has reacted to, though they never received them. */
  touched: readonly Placed[] | undefined
}

/** Roughly how many bytes each of these takes. */
const bytesOf = { reader: 400, relation: 400, item: 80 }

const budget = new ByteBudget<Reader>(logLimits.relationBytes, logLimits.relationBytesOfOrganization)

/**
 * The read state and flags of readers among the messages in memory, as looked up in the database and kept true to the log: an entry updates
 * them, or removes those that it may have changed.
 */
export class Relations extends MessageMemory {
  private readonly readers = new Map<number, Reader>()
  private readonly ofRecipient = new Map<number, Set<Reader>>()
  private readonly share = budget.share((reader) => this.forgetReader(reader))

  /** How many bytes are in memory. */
  get bytes(): number {
    return this.share.bytes
  }

  /** Returns a reader's relation to a conversation, if it is in memory for the messages from this one on. */
  get(userId: number, recipient: number, from: number): Relation | undefined {
    const reader = this.readerInUse(userId)
    const relation = reader?.relations.get(recipient)
    return relation && relation.from <= from ? relation : undefined
  }

  /** Keeps a relation that was read from the database. The state must have folded the log at least as far. */
  put(userId: number, recipient: number, relation: Relation) {
    if (this.isClosed) return
    const reader = this.readerOf(userId)
    this.forgetRelation(reader, recipient)
    reader.relations.set(recipient, relation)
    const others = this.ofRecipient.get(recipient)
    if (others) others.add(reader)
    else this.ofRecipient.set(recipient, new Set([reader]))
    this.grow(reader, sizeOf(relation))
  }

  /** Returns the messages that a reader has touched in channels without having received them, if that is in memory. */
  touched(userId: number): readonly Placed[] | undefined {
    return this.readerInUse(userId)?.touched
  }

  /** Keeps the messages that a reader has touched, unless they take more bytes than one reader may have. */
  putTouched(userId: number, touched: readonly Placed[]) {
    if (this.isClosed || touched.length * bytesOf.item > logLimits.relationBytesOfReader) return
    const reader = this.readerOf(userId)
    this.forgetTouched(reader)
    reader.touched = touched
    this.grow(reader, touched.length * bytesOf.item)
  }

  clear() {
    for (const reader of this.readers.values()) this.forgetReader(reader)
  }

  /** Carries them forward by an entry of the log. */
  fold({ audience, event, rows, body }: Entry) {
    if (this.readers.size === 0) return
    for (const image of rows ?? []) this.foldRow(image)
    switch (event?.type as string | undefined) {
      case 'message':
        if (audience?.message) this.foldSent(audience.message, event as object as SentEvent, body as SentBody)
        break
      case 'update_message_flags':
        for (const id of audience?.users ?? []) this.foldFlags(id, event as object as FlagsEvent)
        break
      case 'reaction':
        this.forgetTouched(this.readers.get((event as object as { user_id: number }).user_id))
        break
      case 'update_message':
        this.foldUpdate(event as object as UpdateEvent, body as UpdateBody | undefined)
    }
    for (const recipient of changedBy(event).recipients) this.forgetConversation(recipient)
  }

  /** Forgets what a user has touched when a subscription changes: which messages the user received depends on it. */
  private foldRow([table, key]: RowImage) {
    if (table === 'subscription') this.forgetTouched(this.readers.get(Number.parseInt(String(key), 10)))
  }

  private foldSent({ id, recipient }: { id: number; recipient: number }, event: SentEvent, body?: SentBody) {
    if (!body || body.recipient !== recipient || event.unread_for) return this.forgetConversation(recipient)
    for (const userId of event.read_by ?? []) this.mark(userId, recipient, [id], true)
    const flagged = [
      [body.mentioned, 'mentioned'],
      [body.alerted, 'has_alert_word'],
    ] as const
    for (const [users, flag] of flagged) {
      for (const userId of users) {
        this.flag(userId, recipient, [id], flag, true)
        this.forgetTouched(this.readers.get(userId))
      }
    }
  }

  private foldFlags(userId: number, { op, flag, messages, all, recipients }: FlagsEvent) {
    const reader = this.readers.get(userId)
    if (!reader) return
    const named = flag === 'read' ? recipients : [...reader.relations.keys()]
    const concerned = named?.filter((recipient) => reader.relations.has(recipient))
    // Looking them up again is cheaper than noting very many changes.
    if (all || !concerned || messages.length * concerned.length > logLimits.flagsInRelations)
      return this.forgetReader(reader)
    // Messages of other conversations among them do no harm: they are not looked for there.
    for (const recipient of concerned) {
      if (flag === 'read') this.mark(userId, recipient, messages, op === 'add')
      else this.flag(userId, recipient, messages, flag, op === 'add')
    }
    if (flag !== 'read') this.forgetTouched(reader)
  }

  /** An edit may mention others, and in another channel others have received the messages. */
  private foldUpdate({ message_ids, edit, move }: UpdateEvent, body: UpdateBody | undefined) {
    const isMoved = move?.to_recipient !== undefined
    if (!isMoved && edit === undefined) return
    const flagged = body && new Set(body.flags.map(([userId]) => userId))
    const ids = new Set(message_ids)
    for (const reader of this.readers.values()) {
      const isTouched = reader.touched?.some(({ id }) => ids.has(id))
      if (isMoved || isTouched || !flagged || flagged.has(reader.id)) this.forgetTouched(reader)
    }
  }

  private mark(userId: number, recipient: number, ids: readonly number[], isRead: boolean) {
    this.change(userId, recipient, (relation) => {
      for (const id of ids) {
        if (!isRead && id < relation.readUpTo) relation.readUpTo = id
        if (id >= relation.from) relation.readSince.set(id, isRead)
      }
    })
  }

  private flag(userId: number, recipient: number, ids: readonly number[], flag: string, isSet: boolean) {
    this.change(userId, recipient, ({ from, flags }) => {
      for (const id of ids) {
        if (id < from) continue
        const others = (flags.get(id) ?? []).filter((other) => other !== flag)
        flags.set(id, isSet ? [...others, flag].sort() : others)
      }
    })
  }

  private change(userId: number, recipient: number, change: (relation: Relation) => void) {
    const reader = this.readers.get(userId)
    const relation = reader?.relations.get(recipient)
    if (!reader || !relation) return
    const before = sizeOf(relation)
    change(relation)
    this.grow(reader, sizeOf(relation) - before)
    // Looking it up again is cheaper than keeping very many changes.
    if (relation.readSince.size > logLimits.readInRelation) this.forgetRelation(reader, recipient)
  }

  /** Adds or subtracts bytes of a reader. A reader who takes very many must not evict all others. */
  private grow(reader: Reader, bytes: number) {
    this.share.grow(reader, bytes)
    if (this.share.sizeOf(reader) > logLimits.relationBytesOfReader) this.forgetReader(reader)
  }

  /** Returns a reader who is in memory, and notes that they were used. */
  private readerInUse(userId: number): Reader | undefined {
    const reader = this.readers.get(userId)
    if (reader) this.share.use(reader)
    return reader
  }

  private readerOf(id: number): Reader {
    const known = this.readers.get(id)
    if (known) return known
    const reader: Reader = { id, relations: new Map(), touched: undefined }
    this.readers.set(id, reader)
    this.grow(reader, bytesOf.reader)
    return reader
  }

  private forgetTouched(reader: Reader | undefined) {
    if (!reader?.touched) return
    this.grow(reader, -reader.touched.length * bytesOf.item)
    reader.touched = undefined
  }

  /** Ends the relations of all readers to a conversation. */
  private forgetConversation(recipient: number) {
    for (const reader of this.ofRecipient.get(recipient) ?? []) this.forgetRelation(reader, recipient)
  }

  private forgetRelation(reader: Reader, recipient: number) {
    const relation = reader.relations.get(recipient)
    if (!relation) return
    reader.relations.delete(recipient)
    this.unlink(reader, recipient)
    this.grow(reader, -sizeOf(relation))
  }

  private forgetReader(reader: Reader) {
    for (const recipient of reader.relations.keys()) this.unlink(reader, recipient)
    reader.relations.clear()
    reader.touched = undefined
    this.readers.delete(reader.id)
    this.share.remove(reader)
  }

  private unlink(reader: Reader, recipient: number) {
    const others = this.ofRecipient.get(recipient)
    others?.delete(reader)
    if (others?.size === 0) this.ofRecipient.delete(recipient)
  }
}

function sizeOf({ read, readSince, flags }: Relation): number {
  return bytesOf.relation + (read.length + readSince.size + flags.size) * bytesOf.item
}

type SentEvent = { read_by?: number[]; unread_for?: number[] }

/** The users whom a message mentions or alerts, and its present conversation. */
type SentBody = { recipient: number | null; mentioned: number[]; alerted: number[] }

type FlagsEvent = {
  op: 'add' | 'remove'
  flag: string
  messages: number[]
  all: boolean
  recipients?: number[]
}

type UpdateEvent = { message_ids: number[]; edit?: number; move?: { to_recipient?: number } }

/** The flags that the message has for users. */
type UpdateBody = { flags: readonly (readonly [user: number, flag: string])[] }
