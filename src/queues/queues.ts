import type { Db } from '../db/database.ts'
import { type Repeated, repeatEvery } from '../lib/async/repeat-every.ts'
import { groupBy } from '../lib/collections/group-by.ts'
import { guard, ignore } from '../lib/guard.ts'
import type { Observer } from '../lib/observer.ts'
import type { Site } from '../lib/site.ts'
import type { Entry } from '../log/entry.ts'
import type { RealmLog } from '../log/realm-log.ts'
import type { Realms } from '../log/realms.ts'
import { EventMemory } from './event-memory.ts'
import type { EventTypes } from './event-type.ts'
import { queueLimits } from './limits.ts'
import type { Queue } from './queue.ts'
import { type OpenQueues, RealmQueues } from './realm-queues.ts'
import { deleteIdleQueues, saveQueues } from './store.ts'

const sweepSeconds = 20

/** All event queues that this node serves. It passes the entries of the logs on to their delivery. */
export class Queues {
  private readonly types: EventTypes
  private readonly idleSeconds: number
  private readonly site: Site
  /** The time since which this node has run without a pause, in seconds of its clock. */
  private runningSince: number
  private sweptAt: number
  private readonly realms: Realms
  /** The queues live as long as the log that they serve. */
  private readonly ofLog = new WeakMap<RealmLog, RealmQueues>()
  private readonly memory = new EventMemory(() => this.all.map(({ delivery }) => delivery.recent))
  private readonly sweeper: Repeated
  private readonly observer: Pick<Observer, 'delivered'> | undefined

  constructor(
    realms: Realms,
    types: EventTypes,
    idleSeconds: number,
    site: Site,
    observer?: Pick<Observer, 'delivered'>,
  ) {
    this.realms = realms
    this.types = types
    this.idleSeconds = idleSeconds
    this.site = site
    this.runningSince = this.sweptAt = site.clock()
    this.observer = observer
    realms.completeWith((log, entries) => this.of(log).delivery.complete(entries))
    realms.listen((log, entries) => this.deliver(log, entries))
    realms.onReload((log) => this.of(log).reload())
    realms.onDeletion((log) => this.of(log).close())
    this.sweeper = repeatEvery(sweepSeconds, () => this.sweep())
  }

  of(log: RealmLog): RealmQueues {
    let queues = this.ofLog.get(log)
    if (!queues) {
      queues = new RealmQueues(log, this.types, this.site, this.memory)
      this.ofLog.set(log, queues)
    }
    return queues
  }

  /** The numbers of queues that this node knows, and of connections that wait for their events. */
  get open(): OpenQueues {
    const all = this.all.map((queues) => queues.open)
    const sum = (of: keyof OpenQueues) => all.reduce((total, one) => total + one[of], 0)
    return { queues: sum('queues'), polls: sum('polls'), eventStreams: sum('eventStreams') }
  }

  /** Ends all waits: polls get a heartbeat as their response, and event streams end. */
  async endPolls() {
    for (const queues of this.all) queues.close()
    await this.sweeper.close()
  }

  private deliver(log: RealmLog, entries: Entry[]) {
    const { observer } = this
    const since = performance.now()
    const written = guard(ignore, () => observer?.delivered((performance.now() - since) / 1000))
    // By then, the requests that were woken have written their responses.
    this.of(log).delivery.accept(entries, () => observer && setImmediate(written))
  }

  /** Saves the positions of the queues that were polled; returns the databases where that failed. */
  async save(): Promise<Set<Db>> {
    const failed = new Set<Db>()
    const taken = this.all
      .map((queues) => ({ queues, polled: queues.takePolled() }))
      .filter(({ polled }) => polled.length > 0)
    const saved = [...groupBy(taken, ({ queues }) => queues.log.database.db)].map(async ([db, of]) => {
      await this.saveIn(db, of).catch(() => failed.add(db))
    })
    await Promise.all(saved)
    return failed
  }

  private async saveIn(db: Db, taken: { queues: RealmQueues; polled: Queue[] }[]) {
    try {
      const gone = await saveQueues(
        db,
        taken.flatMap(({ polled }) => polled),
        this.site.clock(),
      )
      // Another node has deleted them.
      for (const { realmId, id } of gone) this.known(realmId)?.forget(id)
    } catch (error) {
      // Otherwise a queue could count as idle only because the database was unavailable.
      for (const { queues, polled } of taken) queues.putBack(polled)
      throw error
    }
  }

  /**
   * Saves the queues, releases organizations that nobody uses, and ends queues that are no longer polled. It runs often, so a long time
   * since the last run means that the machine slept, the process stood still, or the clock was set.
   */
  async sweep() {
    // Before the positions are saved: afterwards, nothing shows which queues were polled since the last sweep.
    this.releaseIdle()
    const failed = await this.save()
    // After a start or a pause, clients get the whole idle time to return: the downtime does not count.
    const now = this.site.clock()
    if (Math.abs(now - this.sweptAt) > this.idleSeconds / 2) this.runningSince = now
    this.sweptAt = now
    if (now - this.runningSince < this.idleSeconds) return
    const sound = this.realms.databases.all.filter(({ db }) => !failed.has(db))
    const looks = await Promise.allSettled(sound.map(({ db }) => deleteIdleQueues(db, now, this.idleSeconds)))
    const gone = looks.flatMap((look) => (look.status === 'fulfilled' ? look.value : []))
    for (const { realm_id, id } of gone) this.known(realm_id)?.forget(id)
    // This node also forgets queues that another node has deleted. One that is polled there is read again when its client
    // returns.
    for (const queues of this.all) queues.forgetIdle(now, this.idleSeconds)
  }

  /** A client that comes back finds its queue in the database, and its events in the log. */
  private releaseIdle() {
    const before = this.site.clock() - queueLimits.idleOrganizationSeconds
    this.realms.releaseIdle(before, (log) => this.ofLog.get(log)?.isIdle === false)
  }

  private get all(): RealmQueues[] {
    return this.realms.allInMemory.flatMap((log) => this.ofLog.get(log) ?? [])
  }

  private known(realmId: number): RealmQueues | undefined {
    const log = this.realms.inMemory(realmId)
    return log && this.ofLog.get(log)
  }
}
