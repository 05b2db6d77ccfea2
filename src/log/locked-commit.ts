import { notReady } from '../lib/api-error.ts'
import { append, entriesOf } from './append.ts'
import { type Actor, serverActor } from './audit/actor.ts'
import { AuditTrail } from './audit/trail.ts'
import { Change } from './change.ts'
import type { Entry } from './entry.ts'
import { LogClosed } from './head.ts'
import { logLimits } from './limits.ts'
import type { LogOptions } from './log-options.ts'
import type { RealmDatabase } from './realm-database.ts'
import { type LockedHead, lockHead } from './realm-lock.ts'
import type { RealmState } from './realm-state.ts'
import { goneBackError } from './went-back.ts'

/** The part of an organization's log that a commit needs. */
export type LockedLog = {
  readonly state: RealmState
  readonly database: RealmDatabase
  readonly options: Pick<LogOptions, 'clock' | 'consequences' | 'actor'>
  isAt(head: LockedHead): boolean
  catchUpFromLog(): Promise<void>
}

/** The result of a commit, and the entries that it has written. */
type Committed<T> = { result: T; entries: Entry[]; lastMessageId: number }

/** A commit to make. */
type WantedCommit<T> = {
  /** The epoch of the log in which the caller has read the state. */
  epoch: string
  /** Makes the change. Its rows and events are durable afterwards. */
  work(change: Change): Promise<T>
  actor?: Actor | undefined
}

/** Whether other nodes have written too much, or too late, to read it while holding the lock. */
type Missed = { isTooMuch: boolean }

/** Does work in one transaction under the organization's lock. Returns the entries, which are durable and which the caller must fold. */
export async function commitLocked<T>(log: LockedLog, wanted: WantedCommit<T>): Promise<Committed<T>> {
  for (let tries = 1; ; tries++) {
    const missed = { isTooMuch: false }
    try {
      return await tryToCommit(log, wanted, missed)
    } catch (error) {
      // If the lock was lost, the rollback has failed too, with this error. The work had not begun.
      if (!missed.isTooMuch) throw error
      if (tries === logLimits.triesToLock) throw tooSlow()
    }
    await log.catchUpFromLog()
  }
}

async function tryToCommit<T>(log: LockedLog, { epoch, work, actor }: WantedCommit<T>, missed: Missed) {
  const { database, options } = log
  return database.db.transaction().execute(async (trx): Promise<Committed<T>> => {
    const head = await lockHead(trx, log.state.id)
    if (!head) throw new LogClosed(`realm ${log.state.id} is not in this database`)
    if (!log.isAt(head)) await catchUpUnderLock(log, head, missed)
    if (log.state.epoch !== epoch) throw goneBackError()
    const { state } = log
    const trail = new AuditTrail(actor ?? options.actor ?? serverActor)
    const change = new Change(state, trx, options.clock(), options.consequences, trail)
    const result = await work(change)
    await change.finish()
    const entries = entriesOf(change, state.position)
    if (entries.length > 0) await append(change, entries)
    return { result, entries, lastMessageId: change.lastMessageId }
  })
}

/**
 * Reads what other nodes have written, unless that would take too long: others wait for the lock, and a node that holds it for too long loses
 * it, so that others may write before this one has noticed.
 */
async function catchUpUnderLock(log: LockedLog, head: LockedHead, missed: Missed) {
  const { epoch, position } = log.state
  missed.isTooMuch = head.epoch !== epoch || head.lastEventId > position + logLimits.entriesPerRead
  if (missed.isTooMuch) throw tooSlow()
  await log.catchUpFromLog()
  missed.isTooMuch = !log.isAt(head)
  if (missed.isTooMuch) throw tooSlow()
}

function tooSlow() {
  return notReady('The database is too slow at the moment. Try again in a moment.')
}
