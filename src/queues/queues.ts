import { type Regular, regularly } from '../lib/regularly.ts'
import type { Site } from '../lib/site.ts'
import type { RealmLog } from '../log/realm-log.ts'
import type { Realms } from '../log/realms.ts'
import type { EventTypes } from './event-type.ts'
import { RealmQueues } from './realm-queues.ts'
import { QueueStore } from './store.ts'

const sweepSeconds = 20

/** How long queues live without a poll, and at the longest, in seconds. */
type QueueLife = { idle: number; longest: number }

/** All event queues that this node serves. */
export class Queues {
  private readonly types: EventTypes
  private readonly store: QueueStore
  private readonly life: QueueLife
  private readonly site: Site
  private readonly startedAt: number
  private readonly ofRealm = new Map<number, RealmQueues>()
  private readonly sweeper: Regular

  constructor(realms: Realms, types: EventTypes, life: QueueLife, site: Site) {
    this.types = types
    this.life = life
    this.site = site
    this.startedAt = site.clock()
    this.store = new QueueStore(realms.connections)
    realms.complete((log, entries) => this.of(log).delivery.complete(entries))
    realms.listen((log, entries) => this.of(log).delivery.accept(entries))
    this.sweeper = regularly(sweepSeconds, () => this.sweep())
  }

  of(log: RealmLog): RealmQueues {
    let queues = this.ofRealm.get(log.state.id)
    if (!queues) {
      queues = new RealmQueues(log, this.store, this.types, this.site)
      this.ofRealm.set(log.state.id, queues)
    }
    return queues
  }

  /** Ends all waiting polls with an answer. */
  async endPolls() {
    for (const queues of this.ofRealm.values()) queues.close()
    await this.sweeper.close()
  }

  /** Makes durable how far the queues have come. */
  async save() {
    const taken = [...this.ofRealm.values()].map((queues) => ({ queues, polled: queues.takePolled() }))
    try {
      await this.store.save(taken.flatMap(({ polled }) => polled))
    } catch (error) {
      // Otherwise a queue could pass for idle only because the database was away.
      for (const { queues, polled } of taken) queues.putBack(polled)
      throw error
    }
  }

  private async sweep() {
    await this.save()
    // After a start, clients get the whole idle time to come back: the downtime is not theirs.
    const now = this.site.clock()
    if (now - this.startedAt < this.life.idle) return
    const gone = await this.store.deleteIdle(now - this.life.idle, now - this.life.longest)
    for (const { realm_id, id } of gone) this.ofRealm.get(realm_id)?.forget(id)
  }
}
