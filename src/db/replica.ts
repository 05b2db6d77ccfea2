import type { RawBuilder } from 'kysely'
import type pg from 'pg'
import { FairSemaphore, type SemaphoreCaller } from '../lib/async/fair-semaphore.ts'
import { type Repeated, repeatEvery } from '../lib/async/repeat-every.ts'
import { componentError, unavailable } from '../lib/component.ts'
import { codeOf } from '../lib/errors.ts'
import { guard, ignore } from '../lib/guard.ts'
import type { Tracer } from '../lib/tracer.ts'
import type { Db, Reader } from './database.ts'
import { clusterOf } from './epoch.ts'
import { databaseLimits } from './limits.ts'
import { endIfLate, newPool, type PoolUse, readSettings, useOf } from './pool.ts'
import { type Statement, statementOf } from './reader.ts'
import { sharesSessions } from './sessions.ts'
import { traceQueries } from './trace-queries.ts'

// A read that the replica does not finish goes to the primary, which needs time for it. A standby whose log has broken off may hold
// locks for long.
const settings = {
  ...readSettings,
  lock_timeout: `${databaseLimits.replicaLockSeconds}s`,
  statement_timeout: `${databaseLimits.replicaStatementSeconds}s`,
}

const { replicaConnectSeconds: connectSeconds, replicaAnswerSeconds: answerSeconds } = databaseLimits

/** In seconds: within this time a working standby has sent the result, or has canceled the statement and reported that. */
const silenceSeconds = databaseLimits.replicaStatementSeconds + answerSeconds

/** The connections that read from the database itself. */
type Primary = { db: Db; pool: Pick<pg.Pool, 'query'> }

/** `report` receives why the replica cannot be used. */
export type ReplicaOptions = { url: string; report: (error: unknown) => void }

/** The end of an organization's log. A standby that has reached it has everything that was committed with the log. */
export type LogEnd = { realmId: number; epoch: string; lastEventId: number }

/** Returns the end that the replica must have reached; undefined if the primary must read. */
type End = () => Promise<LogEnd | undefined>

/**
 * Why the primary reads. `behind`: the replica has not reached the end of the log. `busy`: it has no connection free for the caller.
 * `failed`: it refused the statement. `away`: it cannot be used.
 */
type Missed = 'behind' | 'busy' | 'failed' | 'away'

/** Reads by where they went: to the replica, or to the primary, and why. */
type Reads = Record<'replica' | Missed, number>

/**
 * A standby of the database, which reads in place of the primary. Its URL may lead to any of several standbys, and each may be behind, so
 * each read first asks on its own connection how far the standby has come. If anything is wrong, the read goes to the primary. So do all
 * later reads until the next look at the replica, unless this statement alone failed.
 */
export class Replica {
  readonly reads: Reads = { replica: 0, behind: 0, busy: 0, failed: 0, away: 0 }
  private readonly url: string
  private readonly primary: Primary
  private readonly pool: pg.Pool
  private readonly slots: FairSemaphore
  private readonly report: (error: unknown) => void
  private readonly clients = new Set<pg.PoolClient>()
  private readonly looking: Repeated
  private isReady = false
  /** The identity of the cluster. It is read from the primary once, and again after a failed look. */
  private cluster: string | undefined

  /** `readers`: the number of connections that read, besides one that looks whether the replica can be used. */
  constructor(primary: Primary, { url, report }: ReplicaOptions, readers: number, tracer?: Tracer) {
    this.url = url
    this.primary = primary
    this.slots = readerSlots(readers)
    this.report = (error) => report(unavailable('database replica', error))
    this.pool = newPool(url, readers + 1, { settings, connectSeconds, silenceSeconds })
    if (tracer) traceQueries(this.pool, tracer)
    const note = guard(ignore, (client: pg.PoolClient) => this.note(client))
    this.pool.on('connect', note)
    this.looking = repeatEvery(
      databaseLimits.replicaLookSeconds,
      (stopping) => this.look(stopping),
      (error) => (this.isReady && !isRefusal(error) ? this.leave(error) : this.report(error)),
    )
    this.looking.now()
  }

  /** Whether reads may go to it now. */
  get isInUse(): boolean {
    return this.isReady
  }

  get use(): PoolUse {
    return useOf(this.pool)
  }

  /**
   * Returns a reader for one request of a caller, who has at most half of the connections at a time. It reads from the replica if that
   * has reached the end of the log, and otherwise by `primary`. After a read from the primary it stays there, as the replica may lack
   * what that read has returned.
   */
  readFor(caller: SemaphoreCaller, primary: Reader, end: End): Reader {
    const { db } = this.primary
    let stays = false
    const tried = async <T>(statement: Statement) => {
      const rows = stays ? undefined : await this.read<T>(caller, end, statement)
      stays ||= rows === undefined
      return rows
    }
    return {
      // The operations that read from a replica do so by single statements.
      ...primary,
      rows: async <T>(query: RawBuilder<T>) =>
        (await tried<T>(statementOf(db, query))) ?? primary.rows(query),
      prepared: async <T>(name: string, query: RawBuilder<unknown>) =>
        (await tried<T>(statementOf(db, query, name))) ?? primary.prepared<T>(name, query),
    }
  }

  async close() {
    await this.looking.close()
    this.isReady = false
    await this.pool.end()
  }

  /** Returns the rows; undefined if the primary must read them. */
  private async read<T>(caller: SemaphoreCaller, end: End, statement: Statement): Promise<T[] | undefined> {
    const needed = this.isReady ? await end() : undefined
    const found = needed && this.isReady ? await this.inSlot<T>(caller, needed, statement) : 'away'
    if (typeof found === 'object') {
      this.reads.replica++
      return found
    }
    this.reads[found]++
    return undefined
  }

  private async inSlot<T>(caller: SemaphoreCaller, end: LogEnd, statement: Statement): Promise<T[] | Missed> {
    // Nobody waits for a slot: the primary has one sooner if the replica is slow.
    if (this.slots.obstacle(caller) !== undefined) return 'busy'
    const release = this.slots.takeFree(caller)
    return this.attempt<T>(end, statement).finally(release)
  }

  private async attempt<T>(end: LogEnd, statement: Statement): Promise<T[] | Missed> {
    const client = await this.pool.connect().catch((error) => this.leave(error))
    if (!client) return 'away'
    try {
      return (await hasReached(client, end)) ? (await client.query(statement)).rows : 'behind'
    } catch (error) {
      return this.missedBy(error)
    } finally {
      client.release()
    }
  }

  /** Reports an error of a read, and returns what it means for the replica. Throws errors that are not the replica's. */
  private missedBy(error: unknown): Missed {
    if (isRefusal(error)) {
      this.report(error)
      return 'failed'
    }
    if (!(error instanceof NoReplica) && componentError(error)?.component !== 'database') throw error
    this.leave(error)
    return 'away'
  }

  /** Looks whether the replica can be used. Throws if not. */
  private async look(stopping: AbortSignal) {
    this.cluster ??= await clusterOf(this.primary.pool).catch(() => undefined)
    const { cluster } = this
    if (cluster === undefined || stopping.aborted) return
    const patience = { connectSeconds, answerSeconds, stopping }
    if (!this.isReady && (await sharesSessions(this.url, patience))) throw new NoReplica(pooled)
    const client = await this.pool.connect()
    try {
      await endIfLate(client, answerSeconds, () => checkStandby(client, cluster))
    } catch (error) {
      this.cluster = undefined
      client.release(true)
      throw error
    }
    client.release()
    this.isReady = true
  }

  private note(client: pg.PoolClient) {
    const forget = guard(ignore, () => this.clients.delete(client))
    this.clients.add(client)
    client.once('end', forget)
  }

  /** Leaves the replica alone until the next look. What it is still working on fails, and goes to the primary. */
  private leave(error: unknown) {
    if (!this.isReady) return
    this.isReady = false
    for (const client of this.clients) client.connection.stream.destroy()
    this.report(error)
  }
}

/** Returns the semaphore that shares connections that read among callers. */
export function readerSlots(readers: number): FairSemaphore {
  const room = { most: databaseLimits.readsWaiting, each: databaseLimits.readsWaitingEach }
  return new FairSemaphore(readers, Math.ceil(readers / 2), room)
}

/** Why a database is no replica. */
export const noStandby = 'it is not a standby: it takes changes'
export const ofOther = 'it is a standby of another database'
export const pooled = 'a connection pooler before it gives each transaction another session'

class NoReplica extends Error {}

/** Throws unless this is a standby of the cluster. */
async function checkStandby(client: pg.PoolClient, cluster: string) {
  const { rows } = await client.query<{ is_standby: boolean }>('SELECT pg_is_in_recovery() AS is_standby')
  if (!rows[0]?.is_standby) throw new NoReplica(noStandby)
  if ((await clusterOf(client)) !== cluster) throw new NoReplica(ofOther)
}

const endQuery = {
  name: 'end of log',
  text: `SELECT last_event_id AS "lastEventId", epoch, pg_is_in_recovery() AS "isStandby"
    FROM realm_head WHERE realm_id = $1`,
}

type EndRow = { lastEventId: number; epoch: string; isStandby: boolean }

/** Whether a standby has come to this end of a log, or beyond it. Throws if it is none any more. */
async function hasReached(client: pg.PoolClient, { realmId, epoch, lastEventId }: LogEnd): Promise<boolean> {
  const ask = () => client.query<EndRow>({ ...endQuery, values: [realmId] })
  const [row] = (await endIfLate(client, answerSeconds, ask)).rows
  if (row && !row.isStandby) throw new NoReplica(noStandby)
  return row !== undefined && row.epoch === epoch && row.lastEventId >= lastEventId
}

/**
 * SQLSTATEs with which a standby that works refuses one statement: 57014 it takes too long, 40001 and 40P01 it was in the way of the
 * recovery, 42703, 42883 and 42P01 it needs a column, function or table that a migration has just added. Others may still use the
 * replica. 42P05 is no such refusal: it comes from a pooler.
 */
const refusals = /^(57014|40001|40P01|42703|42883|42P01)$/

function isRefusal(error: unknown): boolean {
  return refusals.test(codeOf(error) ?? '')
}
