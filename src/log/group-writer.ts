import type pg from 'pg'
import { notReady } from '../lib/api-error.ts'
import type { Json } from '../lib/json.ts'
import { firstIn } from '../lib/must.ts'
import {
  type BatchedWrite,
  type GroupStatement,
  groupStatement,
  rejectAll,
  type Waiting,
  wasRefused,
} from './batched-write.ts'
import type { Entry } from './entry.ts'
import { LogClosed } from './head.ts'
import { logLimits } from './limits.ts'
import type { RealmDatabase } from './realm-database.ts'
import { beginLocked, type LockedHead } from './realm-lock.ts'
import type { RealmState } from './realm-state.ts'
import { goneBackError } from './went-back.ts'

/** The part of an organization's log that batched writes need. */
type GroupedLog = {
  readonly state: RealmState
  readonly database: RealmDatabase
  clock(): number
  /** Runs a task after the earlier ones. */
  inTurn<T>(task: () => Promise<T>): Promise<T>
  /** Begins a new epoch if the work finds that the database has gone back. */
  orStartOver<T>(work: () => Promise<T>): Promise<T>
  catchUpFromLog(): Promise<void>
  isAt(head: LockedHead): boolean
  /** Folds entries that are durable. */
  apply(entries: Entry[], lastMessageId: number): void
}

/** No statement could be made for a group: the `entry` of one of its items has thrown the cause. */
class Unwritable extends Error {}

function hadNoEffect(error: unknown) {
  return error instanceof Unwritable || wasRefused(error)
}

/**
 * Splits a large group. While PostgreSQL writes the second half, the server responds to the clients of the first and reads new requests. If
 * all clients waited for one write, the server would be idle during it, and PostgreSQL after it.
 */
function halvesOf(group: Waiting[]): Waiting[][] {
  if (group.length <= logLimits.undividedGroup) return [group]
  const half = Math.ceil(group.length / 2)
  return [group.slice(0, half), group.slice(half)]
}

/** The batched writes of one organization. While one batch is being written, the next one gathers. */
export class GroupWriter {
  private readonly log: GroupedLog
  private waiting: Waiting[] = []
  private flushing = false

  constructor(log: GroupedLog) {
    this.log = log
  }

  /** See commitInGroup of RealmLog. */
  add<Item extends Json>(kind: BatchedWrite<Item>, item: Item, epoch: string): Promise<number> {
    if (this.waiting.length >= logLimits.groupsWaiting)
      throw notReady('Too many messages are being sent. Try again in a moment.')
    return new Promise((resolve, reject) => {
      const tell = (error: unknown) => reject(error instanceof Unwritable ? error.cause : error)
      this.waiting.push({ kind: kind as unknown as BatchedWrite<Json>, item, epoch, resolve, reject: tell })
      this.flush()
    })
  }

  // While a group is being written, the next one gathers.
  private flush() {
    if (this.flushing) return
    this.flushing = true
    const writing = this.log.inTurn(async () => {
      const group = this.waiting.splice(0, logLimits.groupSize)
      this.flushing = false
      if (this.waiting.length > 0) this.flush()
      for (const half of halvesOf(group)) await this.commitGroup(half)
    })
    writing.catch((error) => {
      this.flushing = false
      rejectAll(this.waiting.splice(0), error)
    })
  }

  private async commitGroup(all: Waiting[]) {
    const { epoch } = this.log.state
    const group = all.filter((waiting) => waiting.epoch === epoch)
    const late = all.filter((waiting) => waiting.epoch !== epoch)
    if (late.length > 0) rejectAll(late, goneBackError())
    if (group.length === 0) return
    try {
      const { entries, messageIds, lastMessageId } = await this.log.orStartOver(() => this.writeGroup(group))
      this.log.apply(entries, lastMessageId)
      for (const [i, waiting] of group.entries()) waiting.resolve(messageIds[i]!)
    } catch (error) {
      // Not after a lost connection: the group may be durable already, and a second try would send it twice.
      if (group.length > 1 && hadNoEffect(error)) await this.commitEach(group)
      else rejectAll(group, error)
    }
  }

  /** Commits each item separately, so that a bad one does not harm the others. Rejects the rest when the database does not respond. */
  private async commitEach(group: Waiting[]) {
    for (const [i, waiting] of group.entries()) {
      let broken: unknown
      const reject = (error: unknown) => {
        if (!hadNoEffect(error)) broken = error
        waiting.reject(error)
      }
      await this.commitGroup([{ ...waiting, reject }])
      if (broken) return rejectAll(group.slice(i + 1), broken)
    }
  }

  private async writeGroup(group: Waiting[]): Promise<GroupStatement> {
    const statement = this.statementFor(group)
    const { rowCount } = await this.log.database.pool.query(statement)
    if (rowCount === 1) return statement
    // Another node has written meanwhile. Read most of that now, while others need not wait, and the rest while holding the lock, so that
    // the second try must succeed.
    await this.log.catchUpFromLog()
    const client = await this.log.database.pool.connect()
    try {
      return await this.writeGroupUnderLock(client, group)
    } finally {
      client.release()
    }
  }

  private async writeGroupUnderLock(client: pg.PoolClient, group: Waiting[]) {
    try {
      const { id } = this.log.state
      const head = await beginLocked(client, id)
      if (!head) throw new LogClosed(`realm ${id} is not in this database`)
      if (!this.log.isAt(head)) await this.log.catchUpFromLog()
      if (this.log.state.epoch !== firstIn(group).epoch) throw goneBackError()
      const statement = this.statementFor(group)
      const { rowCount } = await client.query(statement)
      // Data read on another connection came from another database.
      if (rowCount !== 1) throw goneBackError()
      await client.query('COMMIT')
      return statement
    } catch (error) {
      await client.query('ROLLBACK').catch(() => {})
      throw error
    }
  }

  private statementFor(group: Waiting[]) {
    try {
      return groupStatement(group, this.log.state, this.log.clock())
    } catch (error) {
      throw new Unwritable('An item of a batch cannot be written.', { cause: error })
    }
  }
}
