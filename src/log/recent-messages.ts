import { ByteBudget } from '../lib/byte-budget.ts'
import { countBelow } from '../lib/count-below.ts'
import { lastIn } from '../lib/must.ts'
import type { Entry } from './entry.ts'
import { logLimits } from './limits.ts'
import { changedBy } from './message-changes.ts'

/** As much of a message as tells for whom it is unread, and where. */
export type RecentMessage = {
  readonly id: number
  readonly recipient: number
  readonly topic: string
  /** The sender, if their client said that they have read it; otherwise 0. */
  readonly readFor: number
  readonly mentioned: MentionedAtOnce
}

/** Whom a message mentions without their names: all who received it, or these users. */
type MentionedAtOnce = 'all' | readonly number[] | null

/** The recent messages of a conversation, in ascending order: lists take a fraction of the memory of objects. */
export type RecentOfConversation = {
  readonly ids: number[]
  readonly topics: string[]
  readonly readFor: number[]
  readonly mentioned: MentionedAtOnce[]
}

/** What is in memory. */
export type Recent = {
  /** The messages from this id on. */
  readonly from: number
  readonly conversations: ReadonlyMap<number, RecentOfConversation>
  /** Of these messages, the database must be asked: they have changed, or are gone. */
  readonly unsure: ReadonlySet<number>
}

/** Returns the part of a message that is held, from the body of the entry with which it was sent; undefined if that does not tell. */
type Take = (body: unknown) => RecentMessage | undefined

/** Roughly how many bytes they take. */
const bytesOf = { message: 40, conversation: 600, topic: 100, unsure: 40 }

const budget = new ByteBudget<RecentMessages>(logLimits.recentBytes, logLimits.recentBytesOfOrganization)

/**
 * Where the newest messages of an organization are, true to the log: every entry adds the message that it tells of, and
 * notes those that it may have changed. They are only read when someone has many unread messages.
 */
export class RecentMessages {
  private conversations = new Map<number, RecentOfConversation>()
  private readonly topics = new Map<string, string>()
  private unsure = new Set<number>()
  private from: number | undefined
  private count = 0
  /** Defined while entries are followed: since before the messages were read. */
  private take: Take | undefined
  private wanted = false
  private isClosed = false
  private changes = 0
  private readonly share = budget.share(() => this.clear())

  /** Undefined until they have been read. */
  get(): Recent | undefined {
    if (this.from === undefined) return undefined
    this.share.use(this)
    return { from: this.from, conversations: this.conversations, unsure: this.unsure }
  }

  /** How many messages, and bytes, are in memory. */
  get use(): { messages: number; bytes: number } {
    return { messages: this.count, bytes: this.share.bytes }
  }

  /** Rises with everything but new messages. While it is the same, `get` returns the same, and what was sent since. */
  get version(): number {
    return this.changes
  }

  /** Says that it would be worthwhile to have them. */
  want() {
    this.wanted = true
  }

  /** Whether they should be read: they are wanted, not there, and not being read already. */
  get isMissing(): boolean {
    return this.wanted && !this.take && !this.isClosed
  }

  /** Follows the log from now on. The messages must be read afterwards, and given to the function that this returns. */
  follow(take: Take): (older: readonly RecentMessage[], from: number) => void {
    this.clear()
    const followed: Take = (body) => take(body)
    this.take = followed
    return (older, from) => {
      if (this.take === followed) this.keep(older, from)
    }
  }

  clear() {
    this.conversations = new Map()
    this.topics.clear()
    this.unsure = new Set()
    this.from = undefined
    this.count = 0
    this.take = undefined
    this.wanted = false
    this.changes++
    this.share.remove(this)
  }

  close() {
    this.isClosed = true
    this.clear()
  }

  reopen() {
    this.isClosed = false
  }

  /** Carries them forward by an entry of the log. */
  fold({ audience, event, body }: Entry) {
    if (!this.take) return
    if (audience?.message) this.addSent(audience.message, this.take(body))
    const { message_ids = [] } = (event ?? {}) as object as { message_ids?: number[] }
    switch (event?.type as string | undefined) {
      case 'update_message':
      case 'delete_message':
        return this.doubt(message_ids)
      case 'update_message_flags':
        return this.doubt(this.ownOf(audience?.users ?? [], changedBy(event).ids))
    }
  }

  /** Those of the messages that one of the users has sent as read: all, while they are being read. */
  private ownOf(users: readonly number[], messages: readonly number[]): readonly number[] {
    if (messages.length === 0 || this.from === undefined) return messages
    const wanted = new Set(messages)
    return [...this.conversations.values()].flatMap(({ ids, readFor }) =>
      ids.filter((id, i) => users.includes(readFor[i]!) && wanted.has(id)),
    )
  }

  private addSent(sent: { id: number; recipient: number }, message: RecentMessage | undefined) {
    if (message?.recipient !== sent.recipient) return this.doubt([sent.id])
    this.share.grow(this, this.append(message))
    if (this.count > logLimits.recentMostMessages) this.clear()
  }

  /** Puts those in front that were read after the log was followed, of which the newest may be here already. */
  private keep(older: readonly RecentMessage[], from: number) {
    const { conversations: followed } = this
    this.conversations = new Map()
    this.count = 0
    let bytes = 0
    for (const message of older) bytes += this.append(message)
    const last = older.at(-1)?.id ?? 0
    for (const [recipient, { ids, topics, readFor, mentioned }] of followed) {
      for (let i = countBelow(ids, last + 1); i < ids.length; i++) {
        const [id, topic] = [ids[i]!, topics[i]!]
        bytes += this.append({ id, recipient, topic, readFor: readFor[i]!, mentioned: mentioned[i]! })
      }
    }
    this.from = from
    this.changes++
    this.share.grow(this, bytes)
  }

  /** Returns how many bytes that takes. */
  private append({ id, recipient, topic, readFor, mentioned }: RecentMessage): number {
    const conversation = this.conversations.get(recipient) ?? emptyConversation()
    const { ids } = conversation
    if (ids.length > 0 && id <= lastIn(ids)) return 0
    const isFirst = ids.length === 0
    if (isFirst) this.conversations.set(recipient, conversation)
    const known = this.topics.get(topic)
    // One string for all that are equal.
    if (known === undefined) this.topics.set(topic, topic)
    ids.push(id)
    conversation.topics.push(known ?? topic)
    conversation.readFor.push(readFor)
    conversation.mentioned.push(mentioned)
    this.count++
    const forTopic = known === undefined ? bytesOf.topic + 2 * topic.length : 0
    return bytesOf.message + forTopic + (isFirst ? bytesOf.conversation : 0)
  }

  private doubt(ids: readonly number[]) {
    const { from = 0 } = this
    const doubtful = ids.filter((id) => id >= from && !this.unsure.has(id))
    if (doubtful.length === 0) return
    if (this.unsure.size + doubtful.length > logLimits.recentUnsureMessages) return this.clear()
    // Another set: what is being read relies on this one.
    this.unsure = new Set([...this.unsure, ...doubtful])
    this.changes++
    this.share.grow(this, bytesOf.unsure * doubtful.length)
  }
}

function emptyConversation(): RecentOfConversation {
  return { ids: [], topics: [], readFor: [], mentioned: [] }
}
