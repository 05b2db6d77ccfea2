import { setMaxListeners } from 'node:events'
import { sql } from 'kysely'
import { ApiError } from '../lib/api-error.ts'
import { limits } from '../lib/limits.ts'
import type { Outside } from '../lib/outside.ts'
import { type Regular, regularly } from '../lib/regularly.ts'
import type { Site } from '../lib/site.ts'
import type { Realms } from '../log/realms.ts'
import { type Job, type JobHandler, TryLater } from './job.ts'

const pollSeconds = 1

/** Kinds of jobs that share slots. `isFull`: the last look found more than could be taken up. */
type Lane = {
  kinds: string[]
  slots: number
  running: Set<Promise<void>>
  isFull: boolean
  looking: Regular
}

/**
 * Does the work that is due, on this node. Whoever claims a job has it for a while; if the node dies meanwhile, another
 * one (or the same, started again) takes it up. Several nodes share the work: none waits for another's claims. Work that
 * waits for somebody beyond the server has slots of its own, so it holds up no other.
 */
export class Jobs {
  private readonly realms: Realms
  private readonly site: Site
  private readonly outside: Outside
  private readonly handlers: Map<string, JobHandler>
  private readonly report: (error: unknown) => void
  private readonly lanes: Lane[]
  private readonly stopping = new AbortController()

  constructor(
    realms: Realms,
    site: Site,
    outside: Outside,
    handlers: JobHandler[],
    report: (error: unknown) => void,
    everySeconds = pollSeconds,
  ) {
    this.realms = realms
    this.site = site
    this.outside = outside
    const possible = handlers.filter((handler) => handler.isPossible?.(outside) ?? true)
    this.handlers = new Map(possible.map((handler) => [handler.kind, handler]))
    this.report = report
    const [slow, quick] = [possible.filter(({ isSlow }) => isSlow), possible.filter(({ isSlow }) => !isSlow)]
    this.lanes = [
      this.lane(quick, limits.jobsAtOnce, everySeconds),
      this.lane(slow, limits.slowJobsAtOnce, everySeconds),
    ]
    // Each job under way may listen.
    setMaxListeners(limits.jobsAtOnce + limits.slowJobsAtOnce, this.stopping.signal)
  }

  /** Takes up no more work, and waits for what is under way. */
  async close() {
    this.stopping.abort()
    await Promise.all(this.lanes.map(({ looking }) => looking.close()))
    await Promise.all(this.lanes.flatMap(({ running }) => [...running]))
  }

  private lane(handlers: JobHandler[], slots: number, everySeconds: number): Lane {
    const kinds = handlers.map(({ kind }) => kind)
    const looking = regularly(everySeconds, () => this.fill(lane), this.report)
    const lane: Lane = { kinds, slots, running: new Set(), isFull: false, looking }
    return lane
  }

  /** Takes up as much as there are free slots for. */
  private async fill(lane: Lane) {
    const free = lane.slots - lane.running.size
    if (free <= 0 || lane.kinds.length === 0) return
    const claimed = await this.claim(lane.kinds, free)
    lane.isFull = claimed.length === free
    for (const job of claimed) this.start(lane, job)
  }

  private start(lane: Lane, job: Job) {
    const work = this.work(job).finally(() => {
      lane.running.delete(work)
      if (lane.isFull) lane.looking.now()
    })
    lane.running.add(work)
  }

  /** Takes jobs that are due and that nobody is at: those first that have been ready for longest, whoever's they are. */
  private async claim(kinds: string[], most: number): Promise<Job[]> {
    const now = this.site.clock()
    const { rows } = await sql<Job>`
      UPDATE job j SET attempts = j.attempts + 1, leased_until = ${now + limits.jobLeaseSeconds}
      FROM (
        SELECT due.* FROM realm r CROSS JOIN LATERAL (
          SELECT realm_id, kind, subject_id, greatest(due_at, leased_until) AS ready_at FROM job
          WHERE realm_id = r.id AND parked_at IS NULL AND due_at <= ${now} AND leased_until <= ${now}
            AND kind = ANY(${kinds}::text[])
          ORDER BY ready_at LIMIT ${most} FOR UPDATE SKIP LOCKED) AS due
        WHERE NOT r.is_deactivated ORDER BY due.ready_at LIMIT ${most}) AS due
      WHERE j.realm_id = due.realm_id AND j.kind = due.kind AND j.subject_id = due.subject_id
      RETURNING j.realm_id, j.kind, j.subject_id, j.due_at, j.revision, j.attempts`.execute(
      this.realms.connections.db,
    )
    return rows
  }

  private async work(job: Job) {
    const handler = this.handlers.get(job.kind)!
    const hold = handler.isLong ? this.hold(job) : undefined
    try {
      await this.attempt(handler, job).finally(() => hold?.close())
    } catch (error) {
      if (!(error instanceof TryLater)) this.report(error)
      await this.putBack(job, error).catch(this.report)
    }
  }

  private async attempt(handler: JobHandler, job: Job) {
    const { realms, site, outside } = this
    const { read } = realms.connections
    const log = await realms.byId(job.realm_id)
    // The job may be about what another node has just made: to refuse it would be for good.
    await log.catchUp()
    const context = { log, read, site, outside, stopping: this.stopping.signal, report: this.report }
    // One that has been taken up so often without anybody coming to an end may be what kills the server.
    if (job.attempts > limits.jobAttempts) return handler.giveUp(context, job, 'It failed again and again.')
    try {
      await handler.run(context, job)
    } catch (error) {
      if (!isFinal(error)) throw error
      await handler.giveUp(context, job, error.message)
    }
  }

  /** Keeps others from taking the job up until this is closed. */
  private hold({ realm_id, kind, subject_id, revision }: Job): Regular {
    const renew = () =>
      sql`
        UPDATE job SET leased_until = ${this.site.clock() + limits.jobLeaseSeconds}
        WHERE realm_id = ${realm_id} AND kind = ${kind} AND subject_id = ${subject_id}
          AND revision = ${revision}`.execute(this.realms.connections.db)
    return regularly(limits.jobLeaseSeconds / 4, renew)
  }

  /** To be tried again, later each time. */
  private async putBack(job: Job, error: unknown) {
    const wait = error instanceof TryLater ? error.seconds : undefined
    const until = this.site.clock() + (wait ?? Math.min(2 ** job.attempts, limits.jobPauseSeconds))
    const attempts = wait === undefined ? job.attempts : job.attempts - 1
    const reason = error instanceof Error ? error.message : String(error)
    await sql`
      UPDATE job SET leased_until = ${until}, attempts = ${attempts}, error = ${reason}
      WHERE realm_id = ${job.realm_id} AND kind = ${job.kind} AND subject_id = ${job.subject_id}
        AND revision = ${job.revision}`.execute(this.realms.connections.db)
  }
}

/** What somebody would have to change before it can work. That the server is not ready passes by itself. */
function isFinal(error: unknown): error is ApiError {
  return error instanceof ApiError && error.status < 500
}
