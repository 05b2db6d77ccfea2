import { sql } from 'kysely'
import type { Adapters } from '../adapters/adapters.ts'
import type { Reader } from '../db/database.ts'
import type { JobRow } from '../db/schema.ts'
import type { ComponentError } from '../lib/component.ts'
import type { Site } from '../lib/site.ts'
import type { Change } from '../log/change.ts'
import type { RealmLog } from '../log/realm-log.ts'

/** Work that has been claimed by this node. */
export type Job = Pick<JobRow, 'realm_id' | 'kind' | 'subject_id' | 'due_at' | 'revision' | 'attempts'>

/** What a handler works with. */
export type JobContext = {
  log: RealmLog
  read: Reader
  site: Site
  outside: Adapters
  /** Fires when the node stops: what waits for somebody should not any longer. */
  stopping: AbortSignal
  /** Logs what fails beyond this server, where the job itself goes on or is tried later. */
  report(error: ComponentError): void
}

/**
 * Thrown by work that is to be tried again, without a fuss. With `seconds`, it is put off for that long, and this try
 * does not count; otherwise the pauses grow from try to try.
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
  /** Whether this node has what it takes to do such work at all; without it, the work waits. By default it has. */
  isPossible?(outside: Adapters): boolean
  /** Whether it waits for servers that are not ours. */
  isSlow?: true
  /** How many of them a node does at once, in slots of their own; by default they share slots with other kinds. */
  atOnce?: number
  /** Whether it may take long, so that this node says again and again that it is at it. */
  isLong?: true
  /**
   * Does the work. Its commit begins with finishJob, and does nothing if that says no: so the work is done once,
   * whatever crashes. An ApiError says that it cannot be done as things are; after any other error it is tried again.
   */
  run(context: JobContext, job: Job): Promise<void>
  /**
   * The job cannot be done. The commit begins with parkJob, and makes visible what has become of it. `reason` is a
   * sentence for people.
   */
  giveUp(context: JobContext, job: Job, reason: string): Promise<void>
}

/** Has the work for a subject done at some time. Whatever was planned for it before no longer holds. */
export function scheduleJob(change: Change, kind: string, subjectId: number, dueAt: number) {
  return scheduleJobs(change, kind, [subjectId], dueAt)
}

/** The same for many subjects. */
export async function scheduleJobs(change: Change, kind: string, subjectIds: number[], dueAt: number) {
  if (subjectIds.length === 0) return
  await change.run(sql`
    INSERT INTO job AS j (realm_id, kind, subject_id, due_at)
    SELECT ${change.state.id}, ${kind}, subject_id, ${dueAt} FROM unnest(${subjectIds}::bigint[]) AS subject_id
    ON CONFLICT (realm_id, kind, subject_id) DO UPDATE SET due_at = excluded.due_at, revision = j.revision + 1,
      attempts = 0, leased_until = 0, parked_at = NULL, error = NULL`)
}

/** Plans work for many subjects at once. What is planned for them already stays as it is, unless it was put aside. */
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

export async function cancelJob(change: Change, kind: string, subjectId: number) {
  await change.deleteAll('job', [{ kind, subject_id: subjectId }])
}

/** Takes the job off the list; false if it is not to be done any more, or no longer as it was claimed. */
export async function finishJob(change: Change, { kind, subject_id, revision }: Job): Promise<boolean> {
  const done = await change.run(sql`
    DELETE FROM job WHERE realm_id = ${change.state.id} AND kind = ${kind} AND subject_id = ${subject_id}
      AND revision = ${revision} RETURNING 1 AS one`)
  return done.length > 0
}

/** Puts the job aside until it is scheduled anew; false like finishJob. */
export async function parkJob(change: Change, { kind, subject_id, revision }: Job, reason: string) {
  const parked = await change.run(sql`
    UPDATE job SET parked_at = ${change.now}, error = ${reason}
    WHERE realm_id = ${change.state.id} AND kind = ${kind} AND subject_id = ${subject_id}
      AND revision = ${revision} AND parked_at IS NULL RETURNING 1 AS one`)
  return parked.length > 0
}
