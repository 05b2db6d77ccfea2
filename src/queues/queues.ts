import { guard, ignore } from '../lib/guard.ts'
import type { Observer } from '../lib/observer.ts'
import { type Repeated, repeatEvery } from '../lib/repeat-every.ts'
import type { Site } from '../lib/site.ts'
import type { Entry } from '../log/entry.ts'
import type { RealmLog } from '../log/realm-log.ts'
import type { Realms } from '../log/realms.ts'
import type { EventTypes } from './event-type.ts'
import { type OpenQueues, RealmQueues } from './realm-queues.ts'
import { QueueStore } from './store.ts'

const sweepSeconds = 20

/** All event queues that this node serves. What the logs tell is passed on to their delivery here. */
export class Queues {
  private readonly types: EventTypes
  private readonly store: QueueStore
  private readonly idleSeconds: number
  private readonly site: Site
  private readonly startedAt: number
  private readonly ofRealm = new Map<number, RealmQueues>()
  private readonly sweeper: Repeated
  private readonly observer: Pick<Observer, 'delivered'> | undefined

  constructor(
    realms: Realms,
    types: EventTypes,
    idleSeconds: number,
    site: Site,
    observer?: Pick<Observer, 'delivered'>,
  ) {
    this.types = types
    this.idleSeconds = idleSeconds
    this.site = site
    this.startedAt = site.clock()
    this.observer = observer
    this.store = new QueueStore(realms.connections)
    realms.complete((log, entries) => this.of(log).delivery.complete(entries))
    realms.listen((log, entries) => this.deliver(log, entries))
    realms.onReload((log) => this.of(log).reload())
    this.sweeper = repeatEvery(sweepSeconds, () => this.sweep())
  }

  of(log: RealmLog): RealmQueues {
    let queues = this.ofRealm.get(log.state.id)
    if (!queues) {
      queues = new RealmQueues(log, this.store, this.types, this.site)
      this.ofRealm.set(log.state.id, queues)
    }
    return queues
  }

  /** The queues that this node knows, and the connections that wait for events of them. */
  get open(): OpenQueues {
    const all = [...this.ofRealm.values()].map((queues) => queues.open)
    const sum = (of: keyof OpenQueues) => all.reduce((total, one) => total + one[of], 0)
    return { queues: sum('queues'), polls: sum('polls'), eventStreams: sum('eventStreams') }
  }

  /** Ends all waiting polls with an answer. */
  async endPolls() {
    for (const queues of this.ofRealm.values()) queues.close()
    await this.sweeper.close()
  }

  private deliver(log: RealmLog, entries: Entry[]) {
    const { observer } = this
    const since = performance.now()
    const woken = this.of(log).delivery.accept(entries)
    if (!observer || woken === 0) return
    // The requests that were woken write their responses before that.
    const written = guard(ignore, () => observer.delivered((performance.now() - since) / 1000))
    setImmediate(written)
  }

  /** Saves the positions of the queues. */
  async save() {
    const taken = [...this.ofRealm.values()].map((queues) => ({ queues, polled: queues.takePolled() }))
    try {
      const gone = await this.store.save(taken.flatMap(({ polled }) => polled))
      // Another node has deleted them.
      for (const { realmId, id } of gone) this.ofRealm.get(realmId)?.forget(id)
    } catch (error) {
      // Otherwise a queue could count as idle only because the database was unavailable.
      for (const { queues, polled } of taken) queues.putBack(polled)
      throw error
    }
  }

  /** Saves, and ends the queues that are no longer polled. */
  async sweep() {
    await this.save()
    // After a start, clients get the whole idle time to return: the downtime does not count.
    const now = this.site.clock()
    if (now - this.startedAt < this.idleSeconds) return
    const gone = await this.store.deleteIdle(now - this.idleSeconds)
    for (const { realm_id, id } of gone) this.ofRealm.get(realm_id)?.forget(id)
  }
}
