import { beginEpoch } from '../db/epoch.ts'
import { databaseLimits } from '../db/limits.ts'
import { notReady } from '../lib/api-error.ts'
import { Mutex } from '../lib/async/mutex.ts'
import { messageOf } from '../lib/errors.ts'
import type { Json } from '../lib/json.ts'
import type { Actor } from './audit/actor.ts'
import type { BatchedWrite } from './batched-write.ts'
import type { Change } from './change.ts'
import type { Entry } from './entry.ts'
import { GroupWriter } from './group-writer.ts'
import { readHead } from './head.ts'
import { logLimits } from './limits.ts'
import { loadRealm, readEntries } from './load.ts'
import { commitLocked, type LockedLog } from './locked-commit.ts'
import type { LogOptions } from './log-options.ts'
import { continuationOf, type LogNews } from './nodes/news.ts'
import { SharedCatchUp } from './nodes/shared-catch-up.ts'
import type { RealmDatabase } from './realm-database.ts'
import type { LockedHead } from './realm-lock.ts'
import type { RealmState } from './realm-state.ts'
import { goneBackError, WentBack } from './went-back.ts'

/** Runs `work` in one transaction under the organization's lock; its changes and events are durable afterwards. */
export type Commit = <T>(work: (change: Change) => Promise<T>) => Promise<T>

/** How far a node has read a log, and in which database. */
export type ReadUpTo = { position: number; database: string }

/**
 * Receives new entries. `isOwn`: this node has just written them; otherwise it has read what another node wrote. `before`: the stamp of the
 * entry before them.
 */
type LogListener = (entries: Entry[], isOwn: boolean, before: number) => void

/**
 * The only way to write in an organization, on this node. Its writes run one after the other (the lock of the
 * database's head row ensures that across nodes; the mutex avoids waiting for that lock here). Each is folded into the
 * state and passed to the listeners before its caller receives a response: all callers read their own writes.
 */
export class RealmLog {
  state: RealmState
  readonly database: RealmDatabase
  private readonly options: LogOptions
  private readonly mutex = new Mutex()
  private readonly listeners: LogListener[] = []
  private readonly reloadListeners: (() => void)[] = []
  private readonly completers: ((entries: Entry[]) => Promise<void>)[] = []
  /** The number of the last entry of another node that this node has read. */
  private othersAt = 0
  private readonly sharedCatchUp = new SharedCatchUp(this)
  private readonly groups: GroupWriter
  /** The part of this log that commits use. */
  private readonly inside: LockedLog

  constructor(database: RealmDatabase, state: RealmState, options: LogOptions) {
    this.database = database
    this.state = state
    this.options = options
    const log = this
    // Messages may have been read from the former database after its rows had been moved.
    database.onMove(() => this.state.forgetMessages())
    const inside = {
      database,
      options,
      get state() {
        return log.state
      },
      clock: options.clock,
      isAt: (head: LockedHead) => this.isAt(head),
      inTurn: <T>(task: () => Promise<T>) => this.inTurn(task),
      orStartOver: <T>(work: () => Promise<T>) => this.orStartOver(work),
      catchUpFromLog: () => this.catchUpFromLog(),
      apply: (entries: Entry[], lastMessageId: number) => this.applyEntries(entries, lastMessageId, true),
    }
    this.inside = inside
    this.groups = new GroupWriter(inside)
  }

  /** Loads the state of an organization, and returns its log. */
  static async open(database: RealmDatabase, realmId: number, options: LogOptions) {
    const state = await database.whereOpen(async (read) => {
      // The first connection to write finds out whether this is another database than before, and must come first.
      await database.pool.query('SELECT')
      return loadRealm(read, realmId, options.clock)
    })
    return new RealmLog(database, state, options)
  }

  /** Calls the listener after the state has been read anew: of the entries in between, it has received none. */
  onReload(listener: () => void) {
    this.reloadListeners.push(listener)
  }

  /** Calls the listener with every run of new entries, in order, after they are durable and folded. */
  listen(listener: LogListener) {
    this.listeners.push(listener)
  }

  /**
   * Adds a function that loads the bodies of entries read from the log, before the listeners receive them: entries of
   * other nodes, and our own whose commit was not confirmed.
   */
  completeWith(completer: (entries: Entry[]) => Promise<void>) {
    this.completers.push(completer)
  }

  /** Commits for the server itself; see commitIn. */
  readonly commit: Commit = (work) => this.commitIn(this.state.epoch, work)

  /**
   * Does the work in one transaction under the organization's lock, for an actor that has read the state in this epoch. Throws 503 in another
   * epoch, if the database does not respond in time, and while the organization is moved.
   */
  commitIn<T>(epoch: string, work: (change: Change) => Promise<T>, actor?: Actor): Promise<T> {
    return this.inTurn(async () => {
      const { result, entries, lastMessageId } = await this.orStartOver(() =>
        commitLocked(this.inside, { epoch, work, actor }),
      )
      this.applyEntries(entries, lastMessageId, true)
      return result
    })
  }

  /**
   * Commits an item together with other waiting items. Returns its message id, or the next one if its kind takes none. An error concerns this
   * item alone. `epoch`: see commitIn.
   */
  async commitInGroup<Item extends Json>(
    kind: BatchedWrite<Item>,
    item: Item,
    epoch = this.state.epoch,
  ): Promise<number> {
    const { id, position } = this.state
    const handed = this.options.handOver?.(id, kind, item, { epoch, position })
    if (!handed) return this.groups.add(kind, item, epoch)
    const done = await handed
    if (!done) return this.groups.add(kind, item, epoch)
    await this.catchUpToHanded(done.position)
    return done.messageId
  }

  /** Commits an item in a group at this worker, even if another worker writes for the organization. */
  commitInOwnGroup(kind: BatchedWrite<Json>, item: Json, epoch: string): Promise<number> {
    return this.groups.add(kind, item, epoch)
  }

  /** Reads what other nodes have written. */
  catchUp(): Promise<void> {
    return this.inTurn(() => this.orStartOver(() => this.catchUpFromLog()))
  }

  /** Reads the log, if this node has not folded the entry with this number yet. */
  catchUpTo(lastEventId: number): Promise<void> {
    return this.catchUpUnless(() => this.state.position >= lastEventId)
  }

  /** Reads what other nodes have written, unless `isThere` returns true when the turn of this call comes. */
  catchUpUnless(isThere: () => boolean): Promise<void> {
    return this.inTurn(() =>
      this.orStartOver(async () => {
        if (!isThere()) await this.catchUpFromLog()
      }),
    )
  }

  /** Reads what other nodes have written, if there is anything: for many callers with one query. */
  catchUpIfBehind(): Promise<void> {
    return this.sharedCatchUp.run()
  }

  /**
   * Reads what other nodes have written, as catchUpIfBehind does, but waits only a moment for writes of this node. Returns whether this node
   * has all entries that the database had at the time of the call.
   */
  tryToCatchUp(): Promise<boolean> {
    return this.sharedCatchUp.tryRun()
  }

  /** Reads up to a write that another worker has made for this one. Never fails: a caller that gets an error would repeat the write. */
  private catchUpToHanded(lastEventId: number): Promise<void> {
    return this.catchUpTo(lastEventId).catch((error) => {
      process.emitWarning(`A worker does not follow organization ${this.state.id} yet: ${messageOf(error)}`)
    })
  }

  /**
   * Folds in the news that other nodes have sent. Reads the log instead if the news does not continue the state, or was written in another
   * database than this node reads, as the state must not be ahead of that. `received` returns the news when the turn of this call comes.
   */
  applyNews(received: () => readonly LogNews[]): Promise<void> {
    return this.inTurn(async () => {
      const news = received()
      await this.orStartOver(async () => {
        const found = continuationOf(news, this.state, this.database.name)
        if (found.entries.length > 0) this.applyEntries(found.entries, found.lastMessageId, false)
        if (!found.isWhole) await this.catchUpFromLog()
      })
    })
  }

  /** How far this node has read the log now, for `hasNewsSince`. */
  get readUpTo(): ReadUpTo {
    return { position: this.state.position, database: this.database.name }
  }

  /** Whether this node has read entries of other nodes since then, or has switched to another database after a move. */
  hasNewsSince({ position, database }: ReadUpTo): boolean {
    return this.othersAt > position || this.database.name !== database
  }

  /** Whether the state matches a log that ends here. */
  isAt({ lastEventId, epoch, stamp }: LockedHead): boolean {
    const { state } = this
    return state.position === lastEventId && state.stamp === stamp && state.epoch === epoch
  }

  /** Discards the state. Call it when the database turns out to have gone back in time. */
  startOver(): Promise<void> {
    return this.inTurn(() => this.beginAnew())
  }

  /** Runs a task after the earlier ones. Throws 503 if these take too long, as when the database does not respond. */
  private inTurn<T>(task: () => Promise<T>): Promise<T> {
    const since = performance.now()
    return this.mutex.run(() => {
      if (performance.now() - since < databaseLimits.turnSeconds * 1000) return task()
      throw notReady('The database is too slow at the moment. Try again in a moment.')
    })
  }

  /** Reads and folds the entries that this node lacks. Throws WentBack if the database lacks entries that this node has. */
  private async catchUpFromLog() {
    const { read } = this.database
    const head = await readHead(read, this.state.id)
    if (head.epoch !== this.state.epoch) return this.reload()
    if (head.lastEventId <= this.state.position && !this.isAt(head)) throw new WentBack()
    while (this.state.position < head.lastEventId) {
      const { position, stamp, id } = this.state
      const entries = await readEntries(read, id, position - 1, logLimits.entriesPerRead)
      const last = entries[0]?.id === position ? entries.shift() : undefined
      if (last && last.stamp !== stamp) throw new WentBack()
      // This node was cut off for longer than the log is kept, so it reloads from the tables.
      if (entries[0]?.id !== position + 1) return this.reload()
      for (const complete of this.completers) await complete(entries)
      this.applyEntries(entries, this.state.lastMessageId, false)
    }
    this.state.lastMessageId = Math.max(this.state.lastMessageId, head.lastMessageId)
  }

  /** Does the work. If it finds that the database has gone back, begins a new epoch and throws 503. */
  private async orStartOver<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await this.database.whereOpen(work)
    } catch (error) {
      if (!(error instanceof WentBack)) throw error
      await this.beginAnew()
      throw goneBackError()
    }
  }

  /** Starts a new epoch: this node's data was never in the present database, and its clients may have received it. */
  private async beginAnew() {
    const { id, position, epoch } = this.state
    process.emitWarning(
      `The database has gone back in time: organization ${id} was at ${position} of its log. Its clients register again.`,
    )
    await this.database.whereOpen(async () => {
      const client = await this.database.pool.connect()
      await beginEpoch(client, id, epoch).finally(() => client.release())
      await this.reload()
    })
  }

  /** Replaces the state by one that is read from the tables. */
  private async reload() {
    const replaced = this.state
    this.state = await loadRealm(this.database.read, this.state.id, this.options.clock)
    replaced.releaseMessages()
    this.othersAt = this.state.position
    for (const listener of this.reloadListeners) listener()
  }

  /** Folds durable entries into the state, and passes them to the listeners. */
  private applyEntries(entries: Entry[], lastMessageId: number, isOwn: boolean) {
    const before = this.state.stamp
    if (!isOwn) this.othersAt = entries.at(-1)?.id ?? this.othersAt
    for (const entry of entries) this.state.fold(entry)
    this.state.lastMessageId = Math.max(this.state.lastMessageId, lastMessageId)
    if (isOwn) this.options.onCommit?.(entries.length === 0)
    if (entries.length > 0) for (const listener of this.listeners) listener(entries, isOwn, before)
    this.sharedCatchUp.noteEntries()
  }
}
