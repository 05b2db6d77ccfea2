import { type RawBuilder, sql } from 'kysely'
import type { Reader } from '../db/database.ts'
import { systemMilliseconds } from '../lib/clock.ts'
import { firstIn } from '../lib/must.ts'

/** What waits in the database, of all organizations. Ages in seconds. */
export type WaitingWork = {
  jobs: { kind: string; waiting: number; oldest: number | null; parked: number }[]
  mails: { state: string; count: number; oldest: number }[]
  pushes: { waiting: number; oldest: number | null }
  /** How far the clock of the database is ahead of this machine's, in seconds. */
  clockSkew: number
}

/** Seconds. Older mails are not sent any more. */
const mailsSince = 7 * 86_400

/** Reads what waits at a time, in seconds since 1970. */
export async function readWaiting(read: Reader, now: number): Promise<WaitingWork> {
  const [jobs, mails, pushes, clockSkew] = await Promise.all([
    read.rows(jobsQuery(now)),
    read.rows(mailsQuery(now)),
    read.rows(pushesQuery(now)),
    readClockSkew(read),
  ])
  return { jobs, mails, pushes: firstIn(pushes), clockSkew }
}

function jobsQuery(now: number): RawBuilder<WaitingWork['jobs'][number]> {
  return sql`
    SELECT j.kind, count(*) FILTER (WHERE ${isDue(now)})::int AS waiting,
      ${now} - min(due_at) FILTER (WHERE ${isDue(now)}) AS oldest,
      count(*) FILTER (WHERE parked_at IS NOT NULL)::int AS parked
    FROM job j JOIN realm r ON r.id = j.realm_id WHERE NOT r.is_deactivated GROUP BY j.kind`
}

function isDue(now: number) {
  return sql`parked_at IS NULL AND due_at <= ${now}`
}

function mailsQuery(now: number): RawBuilder<WaitingWork['mails'][number]> {
  return sql`
    SELECT m.state, count(*)::int AS count, ${now} - min(m.created_at) AS oldest
    FROM realm r JOIN mail m ON m.realm_id = r.id AND m.created_at > ${now - mailsSince}
    WHERE m.state <> 'sent' AND NOT r.is_deactivated GROUP BY m.state`
}

function pushesQuery(now: number): RawBuilder<WaitingWork['pushes']> {
  return sql`
    SELECT count(*)::int AS waiting, ${now} - min(p.created_at) AS oldest
    FROM realm r JOIN push_notification p ON p.realm_id = r.id WHERE NOT r.is_deactivated`
}

async function readClockSkew(read: Reader): Promise<number> {
  const query: RawBuilder<{ now: number }> = sql`SELECT extract(epoch FROM clock_timestamp())::float8 AS now`
  const before = systemMilliseconds()
  const { now } = firstIn(await read.rows(query))
  return now - (before + systemMilliseconds()) / 2000
}
