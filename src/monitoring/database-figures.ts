import { type RawBuilder, sql } from 'kysely'
import type { Connections, Reader } from '../db/database.ts'
import { secondsAhead, systemMilliseconds } from '../lib/clock.ts'
import { groupBy } from '../lib/collections/group-by.ts'
import { firstIn } from '../lib/must.ts'
import type { LogProgress, Realms } from '../log/realms.ts'

/** Waiting work in the database, of all organizations. Ages in seconds. */
type WaitingWork = {
  jobs: { kind: string; waiting: number; oldest: number | null; parked: number }[]
  mails: { state: string; count: number; oldest: number }[]
  pushes: { waiting: number; oldest: number | null }
  /** How far the clock of the database is ahead of this machine's, in seconds. */
  clockSkew: number
}

/** Seconds. Older mails are not sent any more. */
const mailsSince = 7 * 86_400

/** The figures of one database, or the sum of several. */
export type DatabaseFigures = { progress: LogProgress; waiting: WaitingWork }

/** Reads what a database says at a time, in seconds since 1970. */
export async function readFigures(
  realms: Pick<Realms, 'progress'>,
  database: Connections,
  now: number,
): Promise<DatabaseFigures> {
  const [progress, waiting] = await Promise.all([realms.progress(database), readWaiting(database.read, now)])
  return { progress, waiting }
}

/** Adds up what several databases say. */
export function sumOfFigures(parts: DatabaseFigures[]): DatabaseFigures {
  const total = (of: keyof LogProgress) => sum(parts.map(({ progress }) => progress[of]))
  return {
    progress: {
      organizations: total('organizations'),
      position: total('position'),
      behind: total('behind'),
    },
    waiting: allWaiting(parts.map(({ waiting }) => waiting)),
  }
}

async function readWaiting(read: Reader, now: number): Promise<WaitingWork> {
  const [jobs, mails, pushes, clockSkew] = await Promise.all([
    read.rows(jobsQuery(now)),
    read.rows(mailsQuery(now)),
    read.rows(pushesQuery(now)),
    readClockSkew(read),
  ])
  return { jobs, mails, pushes: firstIn(pushes), clockSkew }
}

function allWaiting(parts: WaitingWork[]): WaitingWork {
  const jobs = groupBy(
    parts.flatMap((part) => part.jobs),
    ({ kind }) => kind,
  )
  const mails = groupBy(
    parts.flatMap((part) => part.mails),
    ({ state }) => state,
  )
  return {
    jobs: [...jobs].map(([kind, of]) => ({
      kind,
      ...total(of),
      parked: sum(of.map(({ parked }) => parked)),
    })),
    mails: [...mails].map(([state, of]) => ({
      state,
      count: sum(of.map(({ count }) => count)),
      oldest: Math.max(...of.map(({ oldest }) => oldest)),
    })),
    pushes: total(parts.map(({ pushes }) => pushes)),
    // The one that is furthest off.
    clockSkew: parts.map((part) => part.clockSkew).reduce((a, b) => (Math.abs(b) > Math.abs(a) ? b : a)),
  }
}

function total(of: { waiting: number; oldest: number | null }[]) {
  const ages = of.flatMap(({ oldest }) => oldest ?? [])
  return {
    waiting: sum(of.map(({ waiting }) => waiting)),
    oldest: ages.length > 0 ? Math.max(...ages) : null,
  }
}

function sum(numbers: number[]): number {
  return numbers.reduce((result, number) => result + number, 0)
}

/** Only of organizations that are in this database: not of what a move is copying, or has left behind. */
const here = sql`JOIN realm_head h ON h.realm_id = r.id`

function jobsQuery(now: number): RawBuilder<WaitingWork['jobs'][number]> {
  return sql`
    SELECT j.kind, count(*) FILTER (WHERE ${isDue(now)})::int AS waiting,
      ${now} - min(due_at) FILTER (WHERE ${isDue(now)}) AS oldest,
      count(*) FILTER (WHERE parked_at IS NOT NULL)::int AS parked
    FROM job j JOIN realm r ON r.id = j.realm_id ${here} WHERE NOT r.is_deactivated GROUP BY j.kind`
}

function isDue(now: number) {
  return sql`parked_at IS NULL AND due_at <= ${now}`
}

function mailsQuery(now: number): RawBuilder<WaitingWork['mails'][number]> {
  return sql`
    SELECT m.state, count(*)::int AS count, ${now} - min(m.created_at) AS oldest
    FROM realm r ${here} JOIN mail m ON m.realm_id = r.id AND m.created_at > ${now - mailsSince}
    WHERE m.state <> 'sent' AND NOT r.is_deactivated GROUP BY m.state`
}

function pushesQuery(now: number): RawBuilder<WaitingWork['pushes']> {
  return sql`
    SELECT count(*)::int AS waiting, ${now} - min(p.created_at) AS oldest
    FROM realm r ${here} JOIN push_notification p ON p.realm_id = r.id WHERE NOT r.is_deactivated`
}

async function readClockSkew(read: Reader): Promise<number> {
  const query: RawBuilder<{ now: number }> = sql`SELECT extract(epoch FROM clock_timestamp())::float8 AS now`
  const before = systemMilliseconds()
  const { now } = firstIn(await read.rows(query))
  return secondsAhead(now, before)
}
