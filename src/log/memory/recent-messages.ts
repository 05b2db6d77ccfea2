import { ByteBudget } from '../../lib/collections/byte-budget.ts'
import { countBelow } from '../../lib/collections/count-below.ts'
import { lastIn } from '../../lib/must.ts'
import type { Entry } from '../entry.ts'
import { logLimits } from '../limits.ts'
import { changedBy } from './message-changes.ts'
import { MessageMemory } from './message-memory.ts'

/** The fields of a message that tell for whom it is unread, and in which topic. */
export type RecentMessage = {
  readonly id: number
  readonly recipient: number
  readonly topic: string
  /** The sender's id, if their client said that they have read the message; otherwise 0. */
  readonly readFor: number
  readonly mentioned: MentionedTogether
}

/** The users whom a message mentions by a wildcard: all who received it (`all`), or the participants of its topic with these ids. */
type MentionedTogether = 'all' | readonly number[] | null

/** The recent messages of a conversation, in ascending order: lists take a fraction of the memory of objects. */
type RecentOfConversation = {
  ids: number[]
  topics: string[]
  readFor: number[]
  mentioned: MentionedTogether[]
}

/** Roughly how many bytes they take. */
const bytesOf = { message: 40, conversation: 600, topic: 100, mentioned: 8, unsure: 100 }

/** Messages by conversation. They are added in ascending order. */
export class RecentByConversation {
  readonly conversations = new Map<number, RecentOfConversation>()
  count = 0
  bytes = 0
  /** One string for all topics that are equal. */
  private readonly topics: Map<string, string>

  /** `topics`: those of other messages that are held as well. */
  constructor(topics = new Map<string, string>()) {
    this.topics = topics
  }

  /** Adds a message, unless it is there. */
  add({ id, recipient, topic, readFor, mentioned }: RecentMessage) {
    const conversation = this.conversationFor(recipient)
    if (id <= (conversation.ids.at(-1) ?? 0)) return
    conversation.ids.push(id)
    conversation.topics.push(this.oneOf(topic))
    conversation.readFor.push(readFor)
    conversation.mentioned.push(mentioned)
    this.count++
    this.bytes += bytesOf.message
    if (Array.isArray(mentioned)) this.bytes += bytesOf.mentioned * mentioned.length
  }

  /** Adds those of `later` that have a higher id than this. */
  addAfter(id: number, later: RecentByConversation) {
    for (const [recipient, { ids, topics, readFor, mentioned }] of later.conversations) {
      const from = countBelow(ids, id + 1)
      if (from === ids.length) continue
      const own = this.conversationFor(recipient)
      own.ids = own.ids.concat(ids.slice(from))
      own.topics = own.topics.concat(topics.slice(from))
      own.readFor = own.readFor.concat(readFor.slice(from))
      own.mentioned = own.mentioned.concat(mentioned.slice(from))
      this.count += ids.length - from
    }
    this.bytes += later.bytes - bytesOf.conversation * later.conversations.size
  }

  private conversationFor(recipient: number): RecentOfConversation {
    const known = this.conversations.get(recipient)
    if (known) return known
    const fresh = { ids: [], topics: [], readFor: [], mentioned: [] }
    this.conversations.set(recipient, fresh)
    this.bytes += bytesOf.conversation
    return fresh
  }

  private oneOf(topic: string): string {
    const known = this.topics.get(topic)
    if (known !== undefined) return known
    this.topics.set(topic, topic)
    this.bytes += bytesOf.topic + 2 * topic.length
    return topic
  }
}

/** The messages in memory. */
export type Recent = {
  /** All messages with this id or a higher one are in memory. */
  readonly from: number
  readonly conversations: ReadonlyMap<number, Readonly<RecentOfConversation>>
  /** Messages that may have changed or been deleted, so they must be read from the database: by message id, the entry that says so. */
  readonly unsure: ReadonlyMap<number, number>
}

/** Returns a message from the body of its entry; undefined if it has been moved or deleted since. */
type Take = (body: unknown) => RecentMessage | undefined

/** A reading of messages from the database. The log is followed from its beginning. */
type Reading = {
  /** Keeps portions of messages, the oldest first: all messages with the id `from` or a higher one. */
  keep(portions: readonly RecentByConversation[], from: number): void
  /** Says that nothing will be kept. */
  abandon(): void
}

const budget = new ByteBudget<RecentMessages>(logLimits.recentBytes, logLimits.recentBytesOfOrganization)

/**
 * The conversations and topics of the newest messages of an organization, kept true to the log: an entry adds its message, and marks those that
 * it may have changed as unsure. They are read only when a user has many unread messages.
 */
export class RecentMessages extends MessageMemory {
  private held = new RecentByConversation()
  private unsure = new Map<number, number>()
  private from: number | undefined
  /** Defined while the log is followed: from the beginning of a reading on. */
  private take: Take | undefined
  private wanted = false
  private notBefore = 0
  private changes = 0
  private readonly share = budget.share(() => this.clear())
  private readonly now: () => number

  constructor(now: () => number = () => performance.now()) {
    super()
    this.now = now
  }

  /** Returns the messages; undefined until they have been read. */
  get(): Recent | undefined {
    if (this.from === undefined) return undefined
    this.share.use(this)
    return { from: this.from, conversations: this.held.conversations, unsure: this.unsure }
  }

  /** How many messages, and bytes, are in memory. */
  get use(): { messages: number; bytes: number } {
    return { messages: this.held.count, bytes: this.share.bytes }
  }

  /** A number that rises when messages are kept or forgotten: what `get` returned before is no longer carried forward. */
  get version(): number {
    return this.changes
  }

  /** Whether an entry after the first, up to the last, has changed messages that are held. */
  hasChangedBetween(first: number, last: number): boolean {
    return [...this.unsure.values()].some((entry) => entry > first && entry <= last)
  }

  /** Asks for the messages to be read. */
  want() {
    this.wanted = true
  }

  /** Whether they should be read now: they are wanted, neither here nor being read, and the last reading was not just before. */
  get isMissing(): boolean {
    return this.wanted && !this.take && !this.isClosed && this.now() >= this.notBefore
  }

  /** Follows the log from now on, for a reading that begins afterwards. */
  follow(take: Take): Reading {
    this.clear()
    this.notBefore = this.now() + logLimits.recentSeconds * 1000
    this.take = take
    const { changes } = this
    const isMine = () => this.changes === changes
    return {
      keep: (portions, from) => isMine() && this.keep(portions, from),
      abandon: () => isMine() && this.clear(),
    }
  }

  clear() {
    this.held = new RecentByConversation()
    this.unsure = new Map()
    this.from = undefined
    this.take = undefined
    this.wanted = false
    this.changes++
    this.share.remove(this)
  }

  /** Carries them forward by an entry of the log. */
  fold({ id, audience, event, body }: Entry) {
    if (!this.take) return
    if (audience?.message) this.addSent(id, audience.message, this.take(body))
    const { message_ids = [], isRendering } = (event ?? {}) as object as UpdateEvent
    switch (event?.type as string | undefined) {
      case 'update_message':
      case 'delete_message':
        return isRendering ? undefined : this.markUnsure(id, message_ids)
      case 'update_message_flags':
        return this.markUnsure(id, this.ownOf(audience?.users ?? [], changedBy(event).ids))
    }
  }

  private addSent(
    entry: number,
    sent: { id: number; recipient: number },
    message: RecentMessage | undefined,
  ) {
    if (message?.recipient !== sent.recipient) return this.markUnsure(entry, [sent.id])
    this.held.add(message)
    this.countBytes()
    if (this.held.count > logLimits.recentMostMessages) this.clear()
  }

  /** The messages that one of these users sent as already read; all of them while messages are being read. */
  private ownOf(users: readonly number[], messages: readonly number[]): readonly number[] {
    if (messages.length === 0 || this.from === undefined) return messages
    const wanted = new Set(messages)
    return [...this.held.conversations.values()].flatMap(({ ids, readFor }) =>
      ids.filter((id, i) => users.includes(readFor[i]!) && wanted.has(id)),
    )
  }

  /** Replaces the messages by those that were read, and adds those that were sent since the reading began and are not among them. */
  private keep(portions: readonly RecentByConversation[], from: number) {
    const followed = this.held
    this.held = new RecentByConversation()
    for (const portion of portions) this.held.addAfter(0, portion)
    const lists = [...this.held.conversations.values()].map(({ ids }) => lastIn(ids))
    this.held.addAfter(Math.max(0, ...lists), followed)
    for (const id of this.unsure.keys()) if (id < from) this.unsure.delete(id)
    this.from = from
    this.changes++
    this.countBytes()
  }

  private markUnsure(entry: number, ids: readonly number[]) {
    const { from = 0 } = this
    const doubtful = ids.filter((id) => id >= from && !this.unsure.has(id))
    if (doubtful.length === 0) return
    // A new map, as callers of `get` may still use this one.
    this.unsure = new Map([...this.unsure, ...doubtful.map((id) => [id, entry] as const)])
    if (this.unsure.size > logLimits.recentUnsureMessages) this.clear()
    else this.countBytes()
  }

  /** Counts the bytes that are held. If they are too many, all is forgotten. */
  private countBytes() {
    const bytes = this.held.bytes + bytesOf.unsure * this.unsure.size
    this.share.grow(this, bytes - this.share.sizeOf(this))
  }
}

/** The fields by which events tell what they have changed. `isRendering`: neither text nor place. */
type UpdateEvent = { message_ids?: number[]; isRendering?: boolean }
