import { sql } from 'kysely'
import { ApiError } from '../lib/api-error.ts'
import { limits } from '../lib/limits.ts'
import type { Outside } from '../lib/outside.ts'
import type { Site } from '../lib/site.ts'
import type { Realms } from '../log/realms.ts'
import type { Job, JobHandler } from './job.ts'

const pollMs = 1_000

/**
 * Does the work that is due, on this node. Whoever claims a job has it for a while; if the node dies meanwhile, another
 * one (or the same, started again) takes it up. Several nodes share the work: none waits for another's claims.
 */
export class Jobs {
  private readonly realms: Realms
  private readonly site: Site
  private readonly outside: Outside
  private readonly handlers: Map<string, JobHandler>
  private readonly report: (error: unknown) => void
  private readonly timer: NodeJS.Timeout
  private working: Promise<void> | undefined

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
    this.handlers = new Map(handlers.map((handler) => [handler.kind, handler]))
    this.report = report
    this.timer = setInterval(() => this.wake(), everyMs)
    this.timer.unref()
  }

  /** Takes up no more work, and waits for what is under way. */
  async close() {
    clearInterval(this.timer)
    await this.working
  }

  private wake() {
    this.working ??= this.workOff()
      .catch(this.report)
      .finally(() => {
        this.working = undefined
      })
  }

  private async workOff() {
    let claimed: Job[]
    do {
      claimed = await this.claim()
      await Promise.all(claimed.map((job) => this.work(job)))
    } while (claimed.length === limits.jobsAtOnce)
  }

  /** Takes jobs that are due and that nobody is at. */
  private async claim(): Promise<Job[]> {
    const now = this.site.clock()
    const { rows } = await sql<Job>`
      UPDATE job j SET attempts = j.attempts + 1, leased_until = ${now + limits.jobLeaseSeconds}
      FROM (
        SELECT due.* FROM realm r CROSS JOIN LATERAL (
          SELECT realm_id, kind, subject_id FROM job
          WHERE realm_id = r.id AND parked_at IS NULL AND due_at <= ${now} AND leased_until <= ${now}
            AND kind = ANY(${[...this.handlers.keys()]}::text[])
          ORDER BY due_at LIMIT ${limits.jobsAtOnce} FOR UPDATE SKIP LOCKED) AS due
        WHERE NOT r.is_deactivated LIMIT ${limits.jobsAtOnce}) AS due
      WHERE j.realm_id = due.realm_id AND j.kind = due.kind AND j.subject_id = due.subject_id
      RETURNING j.realm_id, j.kind, j.subject_id, j.due_at, j.revision, j.attempts`.execute(
      this.realms.connections.db,
    )
    return rows
  }

  private async work(job: Job) {
    try {
      const log = await this.realms.byId(job.realm_id)
      const context = { log, read: this.realms.connections.read, site: this.site, outside: this.outside }
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
      this.report(error)
      await this.putBack(job, error).catch(this.report)
    }
  }

  /** To be tried again, later each time. */
  private async putBack(job: Job, error: unknown) {
    const until = this.site.clock() + Math.min(2 ** job.attempts, limits.jobPauseSeconds)
    const reason = error instanceof Error ? error.message : String(error)
    await sql`
      UPDATE job SET leased_until = ${until}, error = ${reason}
      WHERE realm_id = ${job.realm_id} AND kind = ${job.kind} AND subject_id = ${job.subject_id}
        AND revision = ${job.revision}`.execute(this.realms.connections.db)
  }
}

/** What somebody would have to change before it can work. That the server is not ready passes by itself. */
function isFinal(error: unknown): error is ApiError {
  return error instanceof ApiError && error.status < 500
}
