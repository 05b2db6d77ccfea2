import { setMaxListeners } from 'node:events'
import { type RawBuilder, sql } from 'kysely'
import type { Adapters } from '../adapters/adapters.ts'
import type { Connections } from '../db/database.ts'
import { ApiError } from '../lib/api-error.ts'
import { type Repeated, repeatEvery } from '../lib/async/repeat-every.ts'
import { messageOf } from '../lib/errors.ts'
import type { FailedWork } from '../lib/failures.ts'
import { must } from '../lib/must.ts'
import type { Site } from '../lib/site.ts'
import { type Tracer, traced } from '../lib/tracer.ts'
import type { Realms } from '../log/realms.ts'
import { DueWork, isReady } from './due-work.ts'
import { type Job, type JobHandler, TryLater } from './job.ts'
import { countsOf, type Lane, laneOf, mostOfOneIn, rotated } from './lane.ts'
import { jobLimits } from './limits.ts'

const pollSeconds = 1

type Options = {
  report(error: unknown, work?: FailedWork): void
  everySeconds?: number
  tracer?: Tracer | undefined
}

/**
 * Does the work that is due, on this node. A node that claims a job holds a lease on it; if the node dies meanwhile,
 * another one (or the same, started again) takes over. Several nodes share the work: none waits for another's claims.
 * Work that waits for external servers has its own slots, so it delays nothing else, and so has each kind that sets its
 * own concurrency. Slots are shared fairly between organizations: the next one is for the organization with the fewest
 * jobs under way, among equals for the one that has waited longest, and none may have all of them.
 */
export class Jobs {
  private readonly realms: Realms
  private readonly site: Site
  private readonly adapters: Adapters
  private readonly handlers: Map<string, JobHandler>
  private readonly report: Options['report']
  private readonly tracer: Tracer | undefined
  private readonly lanes: Lane[]
  private readonly looking: Repeated
  private readonly stopping = new AbortController()
  private readonly due: DueWork
  /** How many times free slots have been filled with jobs. */
  private fills = 0
  /** How many jobs this node has started. */
  claimed = 0

  constructor(
    realms: Realms,
    site: Site,
    adapters: Adapters,
    handlers: JobHandler[],
    { report, everySeconds = pollSeconds, tracer }: Options,
  ) {
    this.realms = realms
    this.site = site
    this.adapters = adapters
    const possible = handlers.filter((handler) => handler.isPossible?.(adapters) ?? true)
    this.handlers = new Map(possible.map((handler) => [handler.kind, handler]))
    this.report = report
    this.tracer = tracer
    this.due = new DueWork(realms, site.clock, possible, report, () => this.fillAll())
    const shared = possible.filter(({ concurrency }) => concurrency === undefined)
    this.lanes = [
      laneOf(jobLimits.concurrentJobs, ...shared.filter(({ isSlow }) => !isSlow)),
      laneOf(jobLimits.concurrentSlowJobs, ...shared.filter(({ isSlow }) => isSlow)),
      ...possible.flatMap((handler) =>
        handler.concurrency === undefined ? [] : [laneOf(handler.concurrency, handler)],
      ),
    ].filter(({ kinds }) => kinds.length > 0)
    // Each job under way may listen to the signal.
    setMaxListeners(
      this.lanes.reduce((sum, { slots }) => sum + slots, 1),
      this.stopping.signal,
    )
    this.looking = repeatEvery(everySeconds, () => this.look(), this.report)
  }

  /**
   * Does all work that is due, and the work that becomes due because of it. Resolves when none is left for this node, with
   * whether any job has run meanwhile.
   */
  async workOff(): Promise<boolean> {
    for (let hasRun = false; ; hasRun = true) {
      const [before, earlier] = [this.claimed, this.running]
      await this.due.settled()
      this.due.lookAtAll()
      await this.looking.round()
      await this.due.settled()
      while (this.lanes.some(({ filling }) => filling)) {
        await Promise.all(this.lanes.map(({ filling }) => filling))
      }
      const { running } = this
      await Promise.all(running)
      // A job that was running when the database was read may have left work since.
      if (earlier.length + running.length === 0 && this.claimed === before) return hasRun
    }
  }

  private get running(): Promise<void>[] {
    return this.lanes.flatMap(({ running }) => [...running.keys()])
  }

  /** Starts no more jobs, and waits for those that are running. */
  async close() {
    this.stopping.abort()
    await this.looking.close()
    await this.due.settled()
    await Promise.all(this.lanes.map(({ filling }) => filling))
    await Promise.all(this.running)
  }

  /** Starts as many jobs as there are free slots. */
  private async look() {
    await this.due.look()
    await this.fillAll()
  }

  private async fillAll() {
    if (this.due.withWork().size > 0) await Promise.all(this.lanes.map((lane) => this.fill(lane)))
  }

  /** Fills the free slots of a lane, repeatedly while slots become free meanwhile. */
  private fill(lane: Lane): Promise<void> {
    lane.isWanted = lane.filling !== undefined
    lane.filling ??= this.fillOnce(lane)
      .catch(this.report)
      .finally(() => {
        lane.filling = undefined
        if (lane.isWanted) void this.fill(lane)
      })
    return lane.filling
  }

  private async fillOnce(lane: Lane) {
    let free = lane.slots - lane.running.size
    if (free <= 0 || this.stopping.signal.aborted) return
    for (const [database, realmIds] of rotated(this.due.withWork(), this.fills++)) {
      const claimed = free > 0 ? await this.claimIn(lane, database, realmIds, free) : []
      free -= claimed.length
      this.claimed += claimed.length
      for (const job of claimed) this.start(lane, job)
    }
    const most = mostOfOneIn(lane)
    lane.isFull = free === 0 || [...countsOf(lane).values()].some((count) => count >= most)
  }

  private claimIn(lane: Lane, database: Connections, realmIds: number[], free: number): Promise<Job[]> {
    return this.claim(lane, database, realmIds, free).catch((error) => {
      this.due.forget(database)
      this.report(error)
      return []
    })
  }

  private start(lane: Lane, job: Job) {
    const work = this.work(job).finally(() => {
      lane.running.delete(work)
      if (lane.isFull) void this.fill(lane)
    })
    lane.running.set(work, job.realm_id)
    lane.served.delete(job.realm_id)
    lane.served.add(job.realm_id)
    if (lane.served.size > jobLimits.jobsRemembered) lane.served.delete(lane.served.values().next().value!)
  }

  /**
   * Claims jobs that are due and have no lease: those of organizations with few jobs under way first, and within an
   * organization those that have been ready for longest.
   */
  private async claim(lane: Lane, { db }: Connections, realmIds: number[], free: number): Promise<Job[]> {
    const now = this.site.clock()
    const [counts, served] = [countsOf(lane), new Map([...lane.served].map((id, index) => [id, index]))]
    const busy = realmIds.map((id) => counts.get(id) ?? 0)
    const last = realmIds.map((id) => served.get(id) ?? -1)
    const { rows } = await sql<Job>`
      WITH due AS (
        SELECT j.realm_id, j.kind, j.subject_id FROM (
          SELECT *, busy + row_number() OVER (PARTITION BY realm_id ORDER BY ready_at) AS turn FROM (
            SELECT ready.*, r.busy, r.last
            FROM unnest(${realmIds}::integer[], ${busy}::integer[], ${last}::integer[]) AS r(id, busy, last)
            CROSS JOIN unnest(${lane.kinds}::text[]) AS k(kind)
            CROSS JOIN LATERAL (
              SELECT realm_id, kind, subject_id, greatest(due_at, leased_until) AS ready_at FROM job j
              WHERE j.realm_id = r.id AND j.kind = k.kind AND ${isReady(now)}
              ORDER BY greatest(due_at, leased_until) LIMIT ${free}) AS ready) AS candidate
          ) AS chosen JOIN job j USING (realm_id, kind, subject_id)
        WHERE chosen.turn <= ${mostOfOneIn(lane)} AND ${isReady(now)}
        ORDER BY chosen.turn, chosen.last, chosen.ready_at LIMIT ${free} FOR UPDATE OF j SKIP LOCKED),
      -- A move that closes the log waits for this, or finds the jobs unclaimed.
      open AS (SELECT realm_id FROM realm_head WHERE realm_id IN (SELECT realm_id FROM due) FOR KEY SHARE SKIP LOCKED)
      UPDATE job j SET attempts = j.attempts + 1, leased_until = ${now + jobLimits.jobLeaseSeconds}
      FROM due JOIN open USING (realm_id)
      WHERE j.realm_id = due.realm_id AND j.kind = due.kind AND j.subject_id = due.subject_id
      RETURNING j.realm_id, j.kind, j.subject_id, j.due_at, j.revision, j.attempts`.execute(db)
    return rows
  }

  private async work(job: Job) {
    const handler = must(this.handlers.get(job.kind), `handler of ${job.kind}`)
    const lease = handler.isLong ? this.keepLease(job) : undefined
    try {
      const attempt = () => this.attempt(handler, job)
      await traced(this.tracer, `job ${job.kind}`, {}, attempt).finally(() => lease?.close())
    } catch (error) {
      const work = { job: job.kind, realmId: job.realm_id, subjectId: String(job.subject_id) }
      if (!(error instanceof TryLater)) this.report(error, work)
      await this.retryLater(job, error).catch(this.report)
    }
  }

  private async attempt(handler: JobHandler, job: Job) {
    const { realms, site, adapters } = this
    const log = await realms.byId(job.realm_id)
    const { read } = log.database
    // The job may concern an object that another node has just created. Refusing it would be final.
    await log.catchUp()
    const context = { log, read, site, adapters, stopping: this.stopping.signal, report: this.report }
    // A job that was started this many times without finishing may be what crashes the server.
    if (job.attempts > jobLimits.jobAttempts)
      return handler.giveUp(context, job, 'It failed again and again.')
    try {
      await handler.run(context, job)
    } catch (error) {
      if (!isFinal(error)) throw error
      await handler.giveUp(context, job, error.message)
    }
  }

  /** Renews the lease of the job regularly, until the result is closed. */
  private keepLease(job: Job): Repeated {
    const renew = async () => {
      const { database } = await this.realms.byId(job.realm_id)
      await sql`
        UPDATE job SET leased_until = ${this.site.clock() + jobLimits.jobLeaseSeconds}
        WHERE ${isStill(job)}`.execute(database.db)
    }
    return repeatEvery(jobLimits.jobLeaseSeconds / 4, renew)
  }

  /** Schedules another attempt, after a pause that grows with each attempt. */
  private async retryLater(job: Job, error: unknown) {
    const wait = error instanceof TryLater ? error.seconds : undefined
    const until = this.site.clock() + (wait ?? Math.min(2 ** job.attempts, jobLimits.jobPauseSeconds))
    const attempts = wait === undefined ? job.attempts : job.attempts - 1
    const reason = messageOf(error)
    const { database } = await this.realms.byId(job.realm_id)
    await sql`
      UPDATE job SET leased_until = ${until}, attempts = ${attempts}, error = ${reason}
      WHERE ${isStill(job)}`.execute(database.db)
  }
}

/** Whether a job is still the work that was claimed: it has not been scheduled anew, nor has another node taken it over. */
function isStill({ realm_id, kind, subject_id, revision, attempts }: Job): RawBuilder<unknown> {
  return sql`realm_id = ${realm_id} AND kind = ${kind} AND subject_id = ${subject_id}
    AND revision = ${revision} AND attempts = ${attempts}`
}

/**
 * Whether the error needs a change by a user before a retry can succeed. A server that is not ready recovers by itself.
 */
function isFinal(error: unknown): error is ApiError {
  return error instanceof ApiError && error.status < 500
}
