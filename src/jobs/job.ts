import { sql } from 'kysely'
import type { Adapters } from '../adapters/adapters.ts'
import type { Reader } from '../db/database.ts'
import type { JobRow } from '../db/schema.ts'
import type { ComponentError } from '../lib/component.ts'
import type { Site } from '../lib/site.ts'
import type { Change } from '../log/change.ts'
import type { RealmLog } from '../log/realm-log.ts'

/** A job that this node has claimed. */
export type Job = Pick<JobRow, 'realm_id' | 'kind' | 'subject_id' | 'due_at' | 'revision' | 'attempts'>

/** The context of a handler. */
export type JobContext = {
  log: RealmLog
  read: Reader
  site: Site
  adapters: Adapters
  /** Aborts when the node stops: the handler should no longer wait for anything. */
  stopping: AbortSignal
  /** Logs a failure of an external service, where the job itself continues or is retried later. */
  report(error: ComponentError): void
}

/**
 * Thrown by work that is to be retried without an error. With `seconds`, it is postponed for that long, and this
 * attempt does not count; otherwise the pauses grow from attempt to attempt.
 */
export class TryLater extends Error {
  readonly seconds: number | undefined

  constructor(reason: string, seconds?: number) {
    super(reason)
    this.seconds = seconds
  }
}

/** How jobs of one kind are done. */
export type JobHandler = {
  kind: string
  /**
   * How many seconds ahead such work is scheduled at most: 0 if it is due immediately, Infinity if users choose the date. Work with
   * a later date was scheduled by a clock that was ahead, and is done now; so `run` looks for itself whether it is time, if that
   * matters.
   */
  within: number
  /** Whether this node has the services that the work needs; by default true. If not, the job waits. */
  isPossible?(adapters: Adapters): boolean
  /** Whether it waits for external servers. */
  isSlow?: true
  /**
   * How many jobs of this kind a node runs concurrently, in slots of their own. By default, they share slots with other
   * kinds.
   */
  concurrency?: number
  /** Whether the work may take long: the node then renews its lease while it runs. */
  isLong?: true
  /**
   * Does the work. Its commit begins with finishJob, and does nothing if that returns false, so the work is done once
   * despite crashes. An ApiError means that the work cannot be done; any other error causes a retry.
   */
  run(context: JobContext, job: Job): Promise<void>
  /**
   * Handles a job that cannot be done. The commit begins with parkJob, and makes the outcome visible. `reason` is a
   * sentence for users.
   */
  giveUp(context: JobContext, job: Job, reason: string): Promise<void>
}

/** Schedules the job of this kind for a subject, at `dueAt` (seconds since 1970). It replaces an earlier schedule. */
export function scheduleJob(change: Change, kind: string, subjectId: number, dueAt: number) {
  return scheduleJobs(change, kind, [subjectId], dueAt)
}

/** Schedules a job of this kind for each subject, as scheduleJob does. */
export async function scheduleJobs(change: Change, kind: string, subjectIds: number[], dueAt: number) {
  if (subjectIds.length === 0) return
  await change.run(sql`
    INSERT INTO job AS j (realm_id, kind, subject_id, due_at)
    SELECT ${change.state.id}, ${kind}, subject_id, ${dueAt} FROM unnest(${subjectIds}::bigint[]) AS subject_id
    ON CONFLICT (realm_id, kind, subject_id) DO UPDATE SET due_at = excluded.due_at, revision = j.revision + 1,
      attempts = 0, leased_until = 0, parked_at = NULL, error = NULL`)
}

/** Schedules jobs for many subjects in one statement. Existing schedules stay as they are, except parked ones. */
export async function scheduleMissingJobs(
  change: Change,
  kind: string,
  jobs: { subjectId: number; dueAt: number }[],
) {
  if (jobs.length === 0) return
  await change.run(sql`
    INSERT INTO job AS j (realm_id, kind, subject_id, due_at)
    SELECT ${change.state.id}, ${kind}, x.subject_id, x.due_at
    FROM unnest(${jobs.map((job) => job.subjectId)}::bigint[], ${jobs.map((job) => job.dueAt)}::bigint[])
      AS x(subject_id, due_at)
    ON CONFLICT (realm_id, kind, subject_id) DO UPDATE SET due_at = excluded.due_at, revision = j.revision + 1,
      attempts = 0, leased_until = 0, parked_at = NULL, error = NULL WHERE j.parked_at IS NOT NULL`)
}

/** Schedules the work for a subject, unless it is due earlier already. */
export async function scheduleJobBy(change: Change, kind: string, subjectId: number, dueAt: number) {
  await change.run(sql`
    INSERT INTO job AS j (realm_id, kind, subject_id, due_at)
    VALUES (${change.state.id}, ${kind}, ${subjectId}, ${dueAt})
    ON CONFLICT (realm_id, kind, subject_id) DO UPDATE SET due_at = excluded.due_at, revision = j.revision + 1,
      attempts = 0, leased_until = 0, parked_at = NULL, error = NULL
    WHERE j.due_at > excluded.due_at OR j.parked_at IS NOT NULL`)
}

/** Removes the job for a subject from the list, if there is one. */
export async function cancelJob(change: Change, kind: string, subjectId: number) {
  await change.deleteAll('job', [{ kind, subject_id: subjectId }])
}

/** Removes the job from the list; returns false if it is no longer to be done, or has changed since it was claimed. */
export async function finishJob(change: Change, { kind, subject_id, revision }: Job): Promise<boolean> {
  const done = await change.run(sql`
    DELETE FROM job WHERE realm_id = ${change.state.id} AND kind = ${kind} AND subject_id = ${subject_id}
      AND revision = ${revision} RETURNING 1 AS one`)
  return done.length > 0
}

/** Finishes a job in a commit of its own, and then schedules what follows from it by `next`. */
export async function finishAndThen(
  { log }: Pick<JobContext, 'log'>,
  job: Job,
  next: (change: Change) => Promise<unknown>,
) {
  await log.commit(async (change) => {
    if (await finishJob(change, job)) await next(change)
  })
}

/** Parks the job until it is scheduled anew; returns false like finishJob. */
export async function parkJob(change: Change, { kind, subject_id, revision }: Job, reason: string) {
  const parked = await change.run(sql`
    UPDATE job SET parked_at = ${change.now}, error = ${reason}
    WHERE realm_id = ${change.state.id} AND kind = ${kind} AND subject_id = ${subject_id}
      AND revision = ${revision} AND parked_at IS NULL RETURNING 1 AS one`)
  return parked.length > 0
}
