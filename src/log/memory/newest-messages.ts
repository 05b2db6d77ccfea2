import { ByteBudget } from '../../lib/collections/byte-budget.ts'
import { firstIn } from '../../lib/must.ts'
import { lower } from '../../lib/text/lower.ts'
import type { Entry } from '../entry.ts'
import { logLimits } from '../limits.ts'
import { changedBy } from './message-changes.ts'
import { MessageMemory } from './message-memory.ts'
import { indexOfMessage, type MessagePlace, topicKey } from './message-place.ts'

/** The fields of a message in memory that are read here. */
type Held = { readonly id: number; readonly sender_id: number }

/** The newest messages of a place, in order and without a gap: at least one. */
export type Run<Message extends Held = Held> = MessagePlace & {
  /** Adds the bytes of a part of a message that was loaded later. */
  charge(id: number, bytes: number): void
  /** Replaced by another array when a message is sent. */
  readonly messages: readonly Message[]
  /** Whether there are no older ones. */
  readonly isWhole: boolean
}

/** Messages of a place as they were read, without a gap. */
type Reading<Message extends Held> = Pick<Run<Message>, 'topic' | 'messages' | 'isWhole'> & {
  /**
   * No other message exists between the first of them and this id. Infinity: the last of them is the newest message.
   */
  upTo: number
}

/** The form in which a caller keeps messages. */
type Form<Message extends Held> = {
  /** Returns the message with the body of its entry. */
  take(body: unknown, run: Run): Message
  /** Roughly how many bytes a message takes in memory. */
  sizeOf(message: Message): number
}

type Kept = Run & { key: string; messages: readonly Held[]; isWhole: boolean; form: Form<Held>; size: number }

/** The bytes of a run without messages. */
const bytesOfRun = 1024

/** Notes, in `hasSeen`, whether messages of a conversation change while they are read. */
type Watch = { readonly recipient: number; hasSeen: boolean }

const budget = new ByteBudget<Kept>(logLimits.newestBytes, logLimits.newestBytesOfOrganization)

/**
 * The newest messages of an organization's busy conversations, as read from the database and kept true to the log: an entry adds the message
 * that it announces, or ends the runs that it may have changed.
 */
export class NewestMessages extends MessageMemory {
  private readonly runs = new Map<string, Kept>()
  /** By the name of the topic in lower case; undefined for the runs of whole conversations. */
  private readonly ofRecipient = new Map<number, Map<string | undefined, Set<Kept>>>()
  private readonly watches = new Set<Watch>()
  private readonly share = budget.share((run) => this.endRun(run))
  private pages = 0

  /** How many runs and bytes are in memory, and how many pages were made of them. */
  get use(): { runs: number; bytes: number; pages: number } {
    return { runs: this.runs.size, bytes: this.share.bytes, pages: this.pages }
  }

  /** Counts a page that was made of a run. */
  countPage() {
    this.pages++
  }

  get<Message extends Held>(key: string): Run<Message> | undefined {
    const run = this.runs.get(key)
    if (run) this.share.use(run)
    return run as Run | undefined as Run<Message> | undefined
  }

  /** Watches a conversation whose messages are about to be read. Call `put` or `forget` afterwards. */
  watch(recipient: number): Watch {
    const watch = { recipient, hasSeen: false }
    this.watches.add(watch)
    return watch
  }

  forget(watch: Watch) {
    this.watches.delete(watch)
  }

  /**
   * Keeps messages of a place that were read since this watch began, unless an entry that concerns them has come meanwhile. Older messages are
   * kept if they continue a run. Returns the run that now has them; undefined if they are not kept.
   */
  put<Message extends Held>(
    key: string,
    watch: Watch,
    read: Reading<Message>,
    form: Form<Message>,
  ): Run<Message> | undefined {
    this.forget(watch)
    if (watch.hasSeen || this.isClosed || read.messages.length === 0) return undefined
    const known = this.runs.get(key)
    const isTaken = known
      ? this.extend(known, read)
      : this.begin(key, watch.recipient, read, form as Form<Held>)
    return isTaken ? (this.runs.get(key) as Run | undefined as Run<Message> | undefined) : undefined
  }

  /** Begins a run with messages that end with the newest one. Returns whether they do. */
  private begin(
    key: string,
    recipient: number,
    { topic, messages, isWhole, upTo }: Reading<Held>,
    form: Form<Held>,
  ): boolean {
    if (upTo < Number.POSITIVE_INFINITY) return false
    const charge = (id: number, bytes: number) => {
      if (this.isKept(run) && find(run.messages, id)) this.grow(run, bytes)
    }
    const run: Kept = { key, recipient, topic, messages, isWhole, form, size: 0, charge }
    this.runs.set(key, run)
    this.runsLike(run).add(run)
    this.grow(run, bytesOfRun + 2 * key.length + sizeOfMessages(run, messages))
    return true
  }

  /** Adds older messages, if there is room for them and none are missing in between. Returns whether it did. */
  private extend(run: Kept, { messages, isWhole, upTo }: Reading<Held>): boolean {
    const first = firstIn(run.messages).id
    const isFull = run.messages.length >= logLimits.newestOfConversation
    if (run.isWhole || isFull || upTo < first - 1) return false
    const older = messages.filter(({ id }) => id < first)
    run.messages = [...older, ...run.messages]
    run.isWhole = isWhole
    this.grow(run, sizeOfMessages(run, older))
    return true
  }

  /** Ends all runs. Messages that are being read are not kept either. */
  clear() {
    for (const watch of this.watches) watch.hasSeen = true
    for (const run of this.runs.values()) this.endRun(run)
  }

  /** Carries the runs forward by an entry of the log. */
  fold({ audience, event, rows, body }: Entry) {
    if (this.runs.size === 0 && this.watches.size === 0) return
    if (audience?.message) this.add(audience.message, body as SentBody | undefined)
    for (const [table, recipient] of rows ?? []) if (table === 'bounds') this.endRunsOf(recipient)
    const { recipients, ids } = changedBy(event)
    for (const recipient of recipients) this.endRunsOf(recipient)
    // Flags of users are stored with the messages that they have sent.
    const senders = event?.type === 'update_message_flags' ? audience?.users : undefined
    if (ids.length > 0) this.endRunsWith(new Set(ids), senders)
  }

  private add({ id, recipient }: { id: number; recipient: number }, body: SentBody | undefined) {
    for (const watch of this.watches) if (watch.recipient === recipient) watch.hasSeen = true
    const places = this.ofRecipient.get(recipient)
    if (!places) return
    if (body?.recipient !== recipient) return this.endRunsOf(recipient)
    const { topic } = body.message
    for (const run of [...(places.get(undefined) ?? []), ...(places.get(lower(topic)) ?? [])]) {
      // The database had it already when the run was read.
      if (!this.isKept(run) || id <= run.messages.at(-1)!.id) continue
      if (run.topic !== undefined && run.topic !== topicKey(topic)) this.endRun(run)
      else this.append(run, run.form.take(body, run))
    }
  }

  private append(run: Kept, message: Held) {
    run.messages = [...run.messages, message]
    this.grow(run, run.form.sizeOf(message))
  }

  private endRunsOf(recipient: number) {
    for (const watch of this.watches) if (watch.recipient === recipient) watch.hasSeen = true
    for (const runs of this.ofRecipient.get(recipient)?.values() ?? []) {
      for (const run of runs) this.endRun(run)
    }
  }

  /** Ends the runs that hold one of the messages, if one of the senders has sent it. */
  private endRunsWith(ids: ReadonlySet<number>, senders?: readonly number[]) {
    // A query under way may have read them already.
    for (const watch of this.watches) watch.hasSeen = true
    const isMeant = (message: Held | undefined) =>
      message !== undefined && (!senders || senders.includes(message.sender_id))
    for (const run of this.runs.values()) {
      const { messages } = run
      // The cost is that of the smaller of the two sets.
      const holdsAny =
        ids.size < messages.length
          ? [...ids].some((id) => isMeant(find(messages, id)))
          : messages.some((message) => ids.has(message.id) && isMeant(message))
      if (holdsAny) this.endRun(run)
    }
  }

  private isKept(run: Kept) {
    return this.runs.get(run.key) === run
  }

  /** Returns the runs of a place, in all forms, and of topics that may be the same. */
  private runsLike({ recipient, topic }: Run): Set<Kept> {
    const places = this.ofRecipient.get(recipient) ?? new Map<string | undefined, Set<Kept>>()
    this.ofRecipient.set(recipient, places)
    const name = topic === undefined ? undefined : lower(topic)
    const runs = places.get(name) ?? new Set()
    places.set(name, runs)
    return runs
  }

  private endRun(run: Kept) {
    if (!this.isKept(run)) return
    this.runs.delete(run.key)
    const runs = this.runsLike(run)
    runs.delete(run)
    const places = this.ofRecipient.get(run.recipient)!
    if (runs.size === 0) places.delete(run.topic === undefined ? undefined : lower(run.topic))
    if (places.size === 0) this.ofRecipient.delete(run.recipient)
    this.share.remove(run)
  }

  private grow(run: Kept, bytes: number) {
    const before = run.size
    const cut = surplusOf(run, before + bytes)
    run.size = cut.left
    if (shorten(run, cut.count)) this.share.grow(run, run.size - before)
    else this.endRun(run)
  }
}

/** Returns how many of a run's oldest messages exceed the limits, and the bytes of the run without them. */
function surplusOf({ form, messages }: Kept, size: number): { count: number; left: number } {
  let [count, left] = [0, size]
  const tooMany = messages.length - logLimits.newestOfConversation
  while (count < messages.length && (count < tooMany || left > logLimits.newestBytesOfConversation)) {
    left -= form.sizeOf(messages[count++]!)
  }
  return { count, left }
}

/** Removes this number of a run's oldest messages. Returns whether any are left. */
function shorten(run: Kept, count: number): boolean {
  if (count > 0) {
    run.messages = run.messages.slice(count)
    run.isWhole = false
  }
  return run.messages.length > 0
}

function find(messages: readonly Held[], wanted: number): Held | undefined {
  return messages[indexOfMessage(messages, wanted)]
}

function sizeOfMessages({ form }: Kept, messages: readonly Held[]) {
  return messages.reduce((sum, message) => sum + form.sizeOf(message), 0)
}

/** A message that was sent, and the conversation that it is in now. */
type SentBody = { recipient: number | null; message: { topic: string } }
