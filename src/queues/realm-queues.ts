import type { Reader } from '../db/database.ts'
import { badRequest } from '../lib/api-error.ts'
import { IndexedTable } from '../lib/collections/indexed-table.ts'
import { guard } from '../lib/guard.ts'
import type { Site } from '../lib/site.ts'
import type { RealmLog } from '../log/realm-log.ts'
import { Delivery } from './delivery.ts'
import { badEventQueue, prunedError } from './errors.ts'
import type { EventMemory } from './event-memory.ts'
import { EventStream, type StreamReader, type StreamStart } from './event-stream.ts'
import type { EventTypes } from './event-type.ts'
import { queueLimits } from './limits.ts'
import type { Queue, QueueOptions, ShapedEvent, StartOfQueue } from './queue.ts'
import { type SnapshotWork, takeSnapshot } from './snapshot.ts'
import { QueueStore, strayedFrom } from './store.ts'
import { type Poller, Waiters, waitOnce } from './waiters.ts'

const uuid = /^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$/

/** Numbers of queues, and of connections that wait for events of them. */
export type OpenQueues = { queues: number; polls: number; eventStreams: number }

/** The event queues of one organization, as this node serves them. */
export class RealmQueues {
  readonly delivery: Delivery
  readonly log: RealmLog
  private readonly types: EventTypes
  private readonly store: QueueStore
  private readonly clock: () => number
  private readonly known = new IndexedTable<Queue>('event_queue', ['id'])
  private readonly knownOfUser = this.known.index((queue) => queue.userId)
  private readonly waiters: Waiters
  private polled = new Set<Queue>()
  private readonly startedAt: number
  private hasStartedOver = false
  private closing = false

  constructor(log: RealmLog, types: EventTypes, site: Site, memory: EventMemory) {
    this.log = log
    this.types = types
    this.store = new QueueStore(log.state.id, log.database)
    this.clock = site.clock
    this.startedAt = site.startedAt
    this.delivery = new Delivery(log, types, site, memory)
    this.waiters = new Waiters(this.delivery, () => log.state.position, site.clock)
  }

  /** Reads the data with which the client of a new queue begins: memory and database at one position of the log. See snapshot.ts. */
  snapshot<Part, T>(read: Reader, work: SnapshotWork<Part, T>): Promise<T> {
    return takeSnapshot(this.log, { read, readLocked: this.store.read }, work)
  }

  /**
   * Creates a queue whose client knows the state at this position of the log. If the user has too many, the one that
   * was polled least recently ends.
   */
  async create(
    userId: number,
    options: QueueOptions,
    { position, epoch }: StartOfQueue,
    client: string,
  ): Promise<Queue> {
    const realmId = this.log.state.id
    const wanted = { ...options, eventTypes: this.knownTypes(options.eventTypes) }
    await this.makeRoom(userId)
    const queue = { realmId, userId, options: wanted, startedAt: position, epoch }
    const created = await this.store.create(queue, client, this.clock())
    this.known.put(created)
    return created
  }

  /** Returns the user's own queue; throws BAD_EVENT_QUEUE_ID for any other. */
  async find(userId: number, id: string): Promise<Queue> {
    const stored = this.known.get(id) || !uuid.test(id) ? undefined : await this.store.find(id)
    // Another poll may have loaded it meanwhile.
    const queue = this.known.get(id) ?? stored
    if (queue?.userId !== userId) throw badEventQueue(id)
    if (queue.epoch !== this.log.state.epoch) await this.log.catchUp()
    this.checkEpoch(queue)
    if (queue === stored) this.known.put(queue)
    return queue
  }

  /** Whether a queue that was found is still there. */
  has({ id }: Queue): boolean {
    return this.known.get(id) !== undefined
  }

  async delete(queue: Queue) {
    await this.store.delete(queue.id)
    this.forget(queue.id)
  }

  /** Returns the events after `lastEventId`, which the client acknowledges by naming it. */
  async collect(queue: Queue, lastEventId: number): Promise<ShapedEvent[]> {
    return (await this.collectOrWait(queue, await this.advance(queue, lastEventId), undefined)) ?? []
  }

  /**
   * As `collect`, but if there are no events, it returns null and tells the poller the first ones when they come. It tells a lone
   * heartbeat when no event comes for long, a little after another client has taken over the queue, or when the server stops; never an
   * empty list, which some clients misread.
   */
  async poll(queue: Queue, lastEventId: number, poller: Poller): Promise<ShapedEvent[] | null> {
    return this.collectOrWait(queue, await this.advance(queue, lastEventId), poller)
  }

  /** Sends a reader the first events, which `collect` has just returned, and all later ones. */
  sendTo(queue: Queue, { after, first }: StreamStart, reader: StreamReader) {
    const isOpen = () => !this.closing && this.has(queue) && queue.epoch === this.log.state.epoch
    new EventStream(
      { waiters: this.waiters, delivery: this.delivery, isOpen },
      queue,
      { after: Math.max(after, queue.reached), first },
      reader,
    ).start()
  }

  /** Returns the queues that were polled since the last call, or are being polled now. */
  takePolled(): Queue[] {
    for (const queue of this.waiters.queues) {
      queue.lastPolledAt = this.clock()
      this.polled.add(queue)
    }
    const polled = [...this.polled]
    this.polled = new Set()
    return polled
  }

  /** Notes again that these queues were polled: they could not be saved. */
  putBack(queues: Queue[]) {
    for (const queue of queues) if (this.known.get(queue.id)) this.polled.add(queue)
  }

  /** Removes a queue that no longer exists from memory, and ends the waits for it. */
  forget(id: string) {
    this.waiters.end(id)
    const queue = this.known.get(id)
    if (queue) this.polled.delete(queue)
    this.known.delete(id)
  }

  /** Forgets the queues that were not polled at this node during this time. */
  forgetIdle(now: number, idleSeconds: number) {
    for (const queue of [...this.known.values()]) {
      const isUsed = this.waiters.has(queue) || this.polled.has(queue)
      const { lastPolledAt } = queue
      const isIdle = lastPolledAt < now - idleSeconds || lastPolledAt > strayedFrom(now, idleSeconds)
      if (!isUsed && isIdle) this.forget(queue.id)
    }
  }

  /** Makes clients that wait collect their events again, after the state has been reloaded. */
  reload() {
    this.delivery.reload()
  }

  get open(): OpenQueues {
    return { queues: this.known.size, ...this.waiters.counts }
  }

  /** Whether no client waits, and all positions are saved. */
  get isIdle() {
    return this.waiters.isEmpty && this.polled.size === 0
  }

  /** Ends all waits, in steps, and refuses new ones. */
  close() {
    this.closing = true
    this.waiters.endAll()
  }

  /** Returns each type once, without types that have no events: a queue's types are searched for every event. */
  private knownTypes(names: string[] | null) {
    return names && [...new Set(names)].filter((name) => this.types.get(name))
  }

  /**
   * Ends the queue that was polled least recently at any node, if the user has too many. Only queues that this node knows count: the
   * others are not polled here, and end by themselves if they are polled nowhere.
   */
  private async makeRoom(userId: number) {
    if (this.knownOfUser(userId).size < queueLimits.queuesPerUser) return
    // Another node may have deleted some, or serve them.
    const stored = await this.store.lastPolls(userId)
    for (const queue of [...this.knownOfUser(userId)]) {
      const lastPolledAt = stored.get(queue.id)
      if (lastPolledAt === undefined) this.forget(queue.id)
      else queue.lastPolledAt = Math.max(queue.lastPolledAt, lastPolledAt)
    }
    const own = this.knownOfUser(userId)
    if (own.size < queueLimits.queuesPerUser) return
    const age = (queue: Queue) => (this.waiters.has(queue) ? this.clock() : queue.lastPolledAt)
    const oldest = [...own].reduce((old, next) => (age(next) < age(old) ? next : old))
    await this.delete(oldest)
  }

  private checkEpoch(queue: Queue) {
    if (queue.epoch === this.log.state.epoch) return
    this.forget(queue.id)
    throw badEventQueue(queue.id)
  }

  /** Accepts the client's acknowledgement. Returns the number after which to collect events. */
  private async advance(queue: Queue, lastEventId: number): Promise<number> {
    // Another node may have sent the client more than this one has read, or have created the queue.
    const last = Math.max(lastEventId, queue.acknowledged)
    if (last > this.log.state.position) await this.log.catchUpTo(last)
    if (last > this.log.state.position) await this.refuseAhead(queue, last)
    if (lastEventId === queue.refused) await this.end(queue)
    this.acknowledge(queue, lastEventId)
    return Math.max(lastEventId, queue.reached)
  }

  /**
   * Refuses an acknowledgement beyond the end of the log. If the queue is younger than this node, the log has not gone back since: the
   * node would have noticed. So the client is wrong, and may continue with a number that it received. Otherwise the log has gone back,
   * and may soon have other events under the numbers that the client has, so the queue ends.
   */
  private async refuseAhead(queue: Queue, lastEventId: number): Promise<never> {
    this.checkEpoch(queue)
    if (queue.createdAt < this.startedAt || queue.acknowledged > this.log.state.position) {
      return this.endAhead(queue)
    }
    queue.refused = lastEventId
    throw badRequest(`Event ${lastEventId} was not in this queue`)
  }

  /**
   * Ends the queue. If the server has just started and the queue is older, the log has probably gone back: an older copy of the database
   * was restored, and most clients have not returned yet. So a new epoch begins, but only once, as a client may claim anything.
   */
  private async endAhead(queue: Queue): Promise<never> {
    const isNews = this.clock() - this.startedAt < queueLimits.putBackSeconds && !this.hasStartedOver
    if (isNews && queue.createdAt < this.startedAt) {
      this.hasStartedOver = true
      await this.log.startOver()
    }
    return this.end(queue)
  }

  /** Deletes the queue, and throws BAD_EVENT_QUEUE_ID. */
  private async end(queue: Queue): Promise<never> {
    await this.delete(queue)
    throw badEventQueue(queue.id)
  }

  private acknowledge(queue: Queue, lastEventId: number) {
    queue.lastPolledAt = this.clock()
    this.polled.add(queue)
    // A client may begin before its start position (many send -1), but may not go back to before what it has acknowledged.
    if (lastEventId < queue.acknowledged && queue.acknowledged > queue.startedAt) {
      throw prunedError(queue, lastEventId)
    }
    queue.refused = undefined
    queue.acknowledged = Math.max(queue.acknowledged, lastEventId)
    queue.reached = Math.max(queue.reached, lastEventId)
  }

  private async collectOrWait(queue: Queue, after: number, poller: Poller | undefined) {
    let reached = after
    // Events that are folded while older ones are read must not fall between reading and waiting.
    do {
      const found = await this.delivery.collect(queue, reached)
      if (found.events.length > 0) return found.events
      if (reached <= queue.reached) queue.reached = Math.max(queue.reached, found.reached)
      reached = found.reached
    } while (reached < this.log.state.position)
    if (!poller) return []
    poller.releasePlace()
    if (this.closing) return [this.waiters.heartbeat()]
    this.wait(queue, reached, poller)
    return null
  }

  private wait(queue: Queue, reached: number, poller: Poller) {
    const { tell, fail } = poller
    const take = guard(fail, (events: ShapedEvent[] | undefined, after: number = reached) => {
      this.checkEpoch(queue)
      return events ? tell(events) : this.collectAgain(queue, after, poller)
    })
    waitOnce(this.waiters, queue, poller, take)
  }

  private async collectAgain(queue: Queue, after: number, poller: Poller) {
    const events = await this.collectOrWait(queue, after, poller)
    if (events) poller.tell(events)
  }
}
