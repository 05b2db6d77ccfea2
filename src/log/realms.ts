import type { Connections } from '../db/database.ts'
import type { Databases } from '../db/databases.ts'
import { FairSemaphore } from '../lib/async/fair-semaphore.ts'
import { ignore } from '../lib/guard.ts'
import { firstIn } from '../lib/must.ts'
import type { Entry } from './entry.ts'
import { readHeads } from './head.ts'
import { logLimits } from './limits.ts'
import type { LogOptions } from './log-options.ts'
import { IncomingNews } from './nodes/incoming-news.ts'
import { byDatabase, LogPoller } from './nodes/log-poller.ts'
import { epochMark } from './nodes/news.ts'
import type { NodeNotifier, ReceivedNews } from './nodes/node-notifier.ts'
import { RealmDatabase } from './realm-database.ts'
import { RealmLog } from './realm-log.ts'
import { RealmPlaces } from './realm-places.ts'

/** A call with this number, in place of that of a last entry, announces that the organization has been moved. */
const movedCall = 0

/**
 * The logs of a database that a node has loaded: how many, the sum of their positions, and how many entries the node
 * has yet to read.
 */
export type LogProgress = { organizations: number; position: number; behind: number }

type Listener = (log: RealmLog, entries: Entry[]) => void
type Completer = (log: RealmLog, entries: Entry[]) => Promise<void>

/** The organizations of this server, each loaded on first use. */
export class Realms {
  readonly databases: Databases
  readonly places: RealmPlaces
  /**
   * The turns to write: of each caller, one commit waits for an organization's log. The caller's other commits wait here, and delay only the
   * caller.
   */
  readonly writing = new FairSemaphore(Number.POSITIVE_INFINITY, 1, {
    most: logLimits.changesWaiting,
    each: logLimits.changesWaitingEach,
  })
  private readonly options: LogOptions
  private readonly notifier: NodeNotifier
  /** The logs that are held in memory even while nothing uses them, or are being loaded. */
  private readonly loaded = new Map<number, Promise<RealmLog>>()
  /**
   * All logs in memory, including released ones that a request or a job still uses. An organization never has two logs
   * here, as each would take the commits of the other for those of another node.
   */
  private readonly live = new Map<number, WeakRef<RealmLog>>()
  private readonly idBySubdomain = new Map<string, number>()
  private readonly listeners: Listener[] = []
  private readonly completers: Completer[] = []
  private readonly reloadListeners: ((log: RealmLog) => void)[] = []
  private readonly deletionListeners: ((log: RealmLog) => void)[] = []
  private readonly activityListeners: ((realmId: number) => void)[] = []
  /** When an organization was last asked for, by the clock. */
  private readonly usedAt = new Map<number, number>()
  private readonly poller: LogPoller
  private readonly incoming = new IncomingNews()

  constructor(databases: Databases, notifier: NodeNotifier, options: LogOptions) {
    this.databases = databases
    this.places = new RealmPlaces(databases)
    this.notifier = notifier
    this.options = options
    notifier.listen((realmId, lastEventId, news) => {
      this.noteActivity(realmId)
      if (this.isLoaded(realmId)) void this.receive(realmId, lastEventId, news).catch(() => {})
    })
    this.poller = new LogPoller(
      databases,
      () => this.remaining(),
      (realmId) => this.forget(realmId),
      options.report,
    )
  }

  /** The connections to the main database, which also has the rows that belong to no organization. */
  get connections(): Connections {
    return this.databases.main
  }

  /** Calls the listener with every run of new entries of every organization that is loaded here. */
  listen(listener: Listener) {
    this.listeners.push(listener)
  }

  /** Adds a function that completes entries read from the logs, before the listeners receive them; see RealmLog. */
  completeWith(completer: Completer) {
    this.completers.push(completer)
  }

  /** Calls the listener when an organization has been read anew; see RealmLog. */
  onReload(listener: (log: RealmLog) => void) {
    this.reloadListeners.push(listener)
  }

  /** Calls the listener when an organization in memory turns out to be deleted. */
  onDeletion(listener: (log: RealmLog) => void) {
    this.deletionListeners.push(listener)
  }

  /**
   * Calls the listener with an organization in which something was committed: here, or at another node that has notified this one. It may also
   * be called when nothing was committed.
   */
  onActivity(listener: (realmId: number) => void) {
    this.activityListeners.push(listener)
  }

  async bySubdomain(subdomain: string): Promise<RealmLog | undefined> {
    const known = this.idBySubdomain.get(subdomain)
    const log = known === undefined ? undefined : await this.byId(known)
    // An organization can be renamed.
    if (log?.state.row.subdomain === subdomain) return log
    this.idBySubdomain.delete(subdomain)
    const [found] = await this.places.named([subdomain])
    if (!found) return undefined
    this.idBySubdomain.set(subdomain, found.id)
    return this.byId(found.id)
  }

  byId(realmId: number): Promise<RealmLog> {
    this.usedAt.set(realmId, this.options.clock())
    let opening = this.loaded.get(realmId)
    if (!opening) {
      const live = this.inMemory(realmId)
      live?.state.holdMessages()
      opening = live ? Promise.resolve(live) : this.open(realmId)
      this.loaded.set(realmId, opening)
      opening.catch(() => this.loaded.delete(realmId))
    }
    return opening
  }

  /** Returns the organization's log, if it is in memory. A log that is being loaded is not. */
  inMemory(realmId: number): RealmLog | undefined {
    return this.live.get(realmId)?.deref()
  }

  /** All logs in memory. */
  get allInMemory(): RealmLog[] {
    return [...this.live.keys()].flatMap((id) => this.inMemory(id) ?? [])
  }

  /**
   * Releases the memory of organizations that were not asked for since `before`. The next request loads them again,
   * unless something that began earlier still uses the log: then it stays in memory, and the request receives the same
   * log. `isUsed` names more that stay, or are held again.
   */
  releaseIdle(before: number, isUsed: (log: RealmLog) => boolean) {
    const now = this.options.clock()
    for (const log of this.allInMemory) {
      const { id } = log.state
      const usedAt = this.usedAt.get(id) ?? before
      // The clock has been set back.
      if (usedAt > now) this.usedAt.set(id, now)
      if (isUsed(log)) {
        if (!this.loaded.has(id)) void this.byId(id)
      } else if (usedAt < before) this.release(id)
    }
  }

  private release(realmId: number) {
    this.inMemory(realmId)?.state.releaseMessages()
    this.loaded.delete(realmId)
    this.usedAt.delete(realmId)
  }

  /** Drops the logs that nothing uses any more, and returns the others. */
  private remaining(): RealmLog[] {
    for (const [id, log] of this.live) if (!log.deref()) this.leave(id)
    return this.allInMemory
  }

  private leave(realmId: number) {
    this.live.delete(realmId)
    // The organization may already be loading again.
    if (!this.loaded.has(realmId)) this.notifier.unfollow(realmId)
  }

  private noteActivity(realmId: number) {
    for (const listener of this.activityListeners) listener(realmId)
  }

  async close() {
    await this.poller.close()
    await this.notifier.close()
  }

  private async open(realmId: number) {
    const onCommit = (isEmpty: boolean) => {
      this.noteActivity(realmId)
      // The commit may have scheduled a job for another node.
      if (isEmpty) this.notifier.announce(realmId, log.state.position)
    }
    // Follow it first, so that nothing that others write during loading is missed.
    await this.notifier.follow(realmId)
    const log = await this.load(realmId, onCommit).catch((error) => {
      this.notifier.unfollow(realmId)
      throw error
    })
    this.live.set(realmId, new WeakRef(log))
    for (const complete of this.completers) log.completeWith((entries) => complete(log, entries))
    log.listen((entries, isOwn, before) => {
      for (const listener of this.listeners) listener(log, entries)
      if (isOwn) this.announce(log, entries, before)
    })
    log.onReload(() => {
      for (const listener of this.reloadListeners) listener(log)
    })
    return log
  }

  private async load(realmId: number, onCommit: (isEmpty: boolean) => void): Promise<RealmLog> {
    const database = await RealmDatabase.find(this.places, realmId)
    return RealmLog.open(database, realmId, { ...this.options, onCommit })
  }

  /** For how many seconds this node may have missed what others have written in the main database. Normally at most a slow poll. */
  get secondsBehind(): number {
    return this.poller.secondsBehind
  }

  /** Returns the progress of the logs of a database that are loaded here, by one query. */
  async progress(database: Connections): Promise<LogProgress> {
    const loaded = [...this.loaded.keys()].flatMap((id) => this.inMemory(id) ?? [])
    const logs = byDatabase(loaded).get(database) ?? []
    const progress = { organizations: logs.length, position: 0, behind: 0 }
    const heads = await readHeads(database.read, logs)
    for (const { state } of logs) {
      const { id, position } = state
      progress.position += position
      progress.behind += Math.max(0, (heads.get(id)?.lastEventId ?? position) - position)
    }
    return progress
  }

  private forget(realmId: number) {
    const log = this.inMemory(realmId)
    this.release(realmId)
    this.leave(realmId)
    if (log) for (const listener of this.deletionListeners) listener(log)
    for (const [name, id] of this.idBySubdomain) if (id === realmId) this.idBySubdomain.delete(name)
  }

  private announce({ state, database: { name: database } }: RealmLog, entries: Entry[], before: number) {
    const { id, position, epoch, lastMessageId } = state
    const after = { id: firstIn(entries).id - 1, stamp: before }
    this.notifier.announce(id, position, () => ({ database, after, epoch, lastMessageId, entries }))
  }

  /** Tells all nodes that the organization is in another database now. */
  announceMove(realmId: number) {
    this.notifier.announce(realmId, movedCall)
    void this.receive(realmId, movedCall).catch(ignore)
  }

  private isLoaded(realmId: number) {
    return this.loaded.has(realmId) || this.live.has(realmId)
  }

  /** The log in memory, or that is being loaded. */
  private async known(realmId: number): Promise<RealmLog | undefined> {
    return this.inMemory(realmId) ?? this.loaded.get(realmId)
  }

  private async receive(realmId: number, lastEventId: number, news?: ReceivedNews) {
    const log = await this.known(realmId)
    if (!log) return
    const { position, epoch } = log.state
    if (lastEventId === movedCall) await log.catchUpIfBehind()
    else if (news === undefined) {
      if (lastEventId > position) await log.catchUpTo(lastEventId)
      // In another epoch, the numbers may be lower.
    } else if (lastEventId > position || news.epoch !== epochMark(epoch)) await this.incoming.add(log, news)
  }
}
