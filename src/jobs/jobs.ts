import { setMaxListeners } from 'node:events'
import { sql } from 'kysely'
import { ApiError } from '../lib/api-error.ts'
import { limits } from '../lib/limits.ts'
import type { Outside } from '../lib/outside.ts'
import type { Site } from '../lib/site.ts'
import type { Realms } from '../log/realms.ts'
import { type Job, type JobHandler, TryLater } from './job.ts'

const pollMs = 1_000

/** Kinds of jobs that share slots. `isFull`: the last look found more than could be taken up. */
type Lane = {
  kinds: string[]
  slots: number
  running: Set<Promise<void>>
  isLooking: boolean
  isFull: boolean
}

/**
 * Does the work that is due, on this node. Whoever claims a job has it for a while; if the node dies meanwhile, another
 * one (or the same, started again) takes it up. Several nodes share the work: none waits for another's claims. Work that waits for somebody beyond the
 * server has slots of its own, so it holds up no other.
 */
export class Jobs {
  private readonly realms: Realms
  private readonly site: Site
  private readonly outside: Outside
  private readonly handlers: Map<string, JobHandler>
  private readonly report: (error: unknown) => void
  private readonly timer: NodeJS.Timeout
  private readonly lanes: Lane[]
  private readonly stopping = new AbortController()

  constructor(
    realms: Realms,
    site: Site,
    outside: Outside,
    handlers: JobHandler[],
    report: (error: unknown) => void,
    everyMs = pollMs,
  ) {
    this.realms = realms
    this.site = site
    this.outside = outside
    const possible = handlers.filter((handler) => handler.isPossible?.(outside) ?? true)
    this.handlers = new Map(possible.map((handler) => [handler.kind, handler]))
    this.report = report
    this.lanes = [
      laneOf(possible, false, limits.jobsAtOnce),
      laneOf(possible, true, limits.slowJobsAtOnce),
    ].filter(({ kinds }) => kinds.length > 0)
    // Each job under way may listen.
    setMaxListeners(limits.jobsAtOnce + limits.slowJobsAtOnce, this.stopping.signal)
    this.timer = setInterval(() => this.wake(), everyMs)
    this.timer.unref()
  }

  /** Takes up no more work, and waits for what is under way. */
  async close() {
    clearInterval(this.timer)
    this.stopping.abort()
    while (this.lanes.some((lane) => lane.isLooking || lane.running.size > 0)) {
      await Promise.all(this.lanes.flatMap((lane) => [...lane.running]))
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
  }

  private wake() {
    for (const lane of this.lanes) void this.fill(lane)
  }

  /** Takes up as much as there are free slots for. */
  private async fill(lane: Lane) {
    const free = lane.slots - lane.running.size
    if (lane.isLooking || free <= 0 || this.stopping.signal.aborted) return
    lane.isLooking = true
    try {
      const claimed = await this.claim(lane.kinds, free)
      lane.isFull = claimed.length === free
      for (const job of claimed) this.start(lane, job)
    } catch (error) {
      this.report(error)
    } finally {
      lane.isLooking = false
    }
  }

  private start(lane: Lane, job: Job) {
    const work = this.work(job).finally(() => {
      lane.running.delete(work)
      if (lane.isFull) void this.fill(lane)
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
    const release = this.handlers.get(job.kind)!.isLong && this.hold(job)
    try {
      const log = await this.realms.byId(job.realm_id)
      const { site, outside } = this
      const context = {
        log,
        read: this.realms.connections.read,
        site,
        outside,
        stopping: this.stopping.signal,
      }
      const handler = this.handlers.get(job.kind)!
      // One that has been taken up so often without anybody coming to an end may be what kills the server.
      if (job.attempts > limits.jobAttempts)
        return await handler.giveUp(context, job, 'It failed again and again.')
      try {
        await handler.run(context, job)
      } catch (error) {
        if (!isFinal(error)) throw error
        await handler.giveUp(context, job, error.message)
      }
    } catch (error) {
      if (!(error instanceof TryLater)) this.report(error)
      if (release) await release()
      await this.putBack(job, error).catch(this.report)
    } finally {
      if (release) await release()
    }
  }

  /** Keeps others from taking the job up until this is released. */
  private hold({ realm_id, kind, subject_id, revision }: Job): () => Promise<void> {
    let renewing: Promise<unknown> = Promise.resolve()
    const renew = () => {
      renewing = sql`
        UPDATE job SET leased_until = ${this.site.clock() + limits.jobLeaseSeconds}
        WHERE realm_id = ${realm_id} AND kind = ${kind} AND subject_id = ${subject_id}
          AND revision = ${revision}`
        .execute(this.realms.connections.db)
        .catch(() => {})
    }
    const timer = setInterval(renew, (limits.jobLeaseSeconds * 1000) / 4)
    return async () => {
      clearInterval(timer)
      await renewing
    }
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

function laneOf(handlers: JobHandler[], isSlow: boolean, slots: number): Lane {
  const kinds = handlers.filter((handler) => (handler.isSlow ?? false) === isSlow).map(({ kind }) => kind)
  return { kinds, slots, running: new Set(), isLooking: false, isFull: false }
}

/** What somebody would have to change before it can work. That the server is not ready passes by itself. */
function isFinal(error: unknown): error is ApiError {
  return error instanceof ApiError && error.status < 500
}
