import { sql } from 'kysely'
import type { AccountRow, DigestRow } from '../../../db/schema.ts'
import {
  finishAndThen,
  type Job,
  type JobContext,
  type JobHandler,
  scheduleJob,
  TryLater,
} from '../../../jobs/job.ts'
import { must } from '../../../lib/must.ts'
import { realmUrl, type Site } from '../../../lib/site.ts'
import type { Change } from '../../../log/change.ts'
import { accountMailLimits } from '../../accounts/kernel/mail/limits.ts'
import { firstSince } from '../../channels/channel-activity/counts.ts'
import { addLinks } from '../../kernel/mail/links.ts'
import { deliveryJob, queueMails } from '../../kernel/mail/queue-mail.ts'
import { realmSettings } from '../../kernel/settings/settings.ts'
import { BusyTopics } from './busy-topics.ts'
import { type Digest, digestMail } from './digest-mail.ts'
import { type DigestReader, DigestReaders, wantsDigest } from './digest-readers.ts'
import { digestLimits } from './limits.ts'
import { planDigests, plannedDigests, type Week } from './plan-digests.ts'
import { digestJob, firstDigests, scheduleDigests } from './schedule-digests.ts'

/**
 * Sends the digests of an organization to users for whom it is the morning of its weekday, in steps of some readers.
 * One change records the day of each digest and puts the mails into the outbox, so each digest is written once, even by
 * several nodes or after a crash. Digests wait while many mails of the organization wait, so that they do not delay
 * those.
 */
export const digests: JobHandler = {
  kind: digestJob,
  within: digestLimits.digestDays * 86_400,
  concurrency: digestLimits.concurrentDigests,
  isLong: true,

  async run(context, job) {
    const { log, site, adapters, stopping } = context
    const begun = site.clock()
    const start = performance.now()
    const isTime = () => !stopping.aborted && performance.now() - start < digestLimits.digestSeconds * 1000
    let after = job.subject_id
    // Without a mail server, there is nothing to wait for: a digest is of one day.
    if (!adapters.mail || !realmSettings(log.state).digest_emails_enabled) return next(context, job, begun)
    let week: Week | undefined
    const all = new DigestReaders(log.state, begun)
    while (isTime()) {
      if (await hasManyMails(context)) return pause(context, job, after)
      const { readers, last } = all.after(after)
      if (readers.length > 0) {
        week ??= await lastWeek(context)
        await send(context, week, readers)
      }
      if (last === undefined) return end(context, job, begun)
      after = last
    }
    await goOn(context, job, after, 0)
  },

  // There is no user to notify, and a later attempt may succeed.
  giveUp: (context, job) => next(context, job, context.site.clock()),
}

async function lastWeek({ log, read, site }: JobContext): Promise<Week> {
  const since = await firstSince(read, log.state, site.clock() - digestLimits.digestDays * 86_400)
  return { since, busy: new BusyTopics(read, log.state) }
}

/** Whether many mails of the organization have not gone out yet. */
async function hasManyMails({ log, read }: JobContext): Promise<boolean> {
  const waiting = await read.rows(sql`
    SELECT FROM job WHERE realm_id = ${log.state.id} AND kind = ${deliveryJob} AND parked_at IS NULL
    LIMIT ${digestLimits.digestMailsWaiting}`)
  return waiting.length === digestLimits.digestMailsWaiting
}

/** Waits for a while. A job that has sent nothing stays as it is. */
async function pause(context: JobContext, job: Job, after: number) {
  if (after === job.subject_id) throw new TryLater('Many mails wait.', digestLimits.digestPauseSeconds)
  await goOn(context, job, after, digestLimits.digestPauseSeconds)
}

/** Continues after this user when these seconds have passed. */
function goOn(context: JobContext, job: Job, after: number, seconds: number) {
  return finishAndThen(context, job, (change) => scheduleJob(change, digestJob, after, change.now + seconds))
}

/**
 * Ends a run that began at this time. If it has continued another run, the morning of users of that one may have come since, so
 * all are looked at again.
 */
function end(context: JobContext, job: Job, begun: number) {
  const { subject_id: first } = firstDigests
  if (job.subject_id === first) return next(context, job, begun)
  return goOn(context, job, first, digestLimits.digestAgainSeconds)
}

/** Schedules the next digests after this time. */
function next(context: JobContext, job: Job, after: number) {
  return finishAndThen(context, job, (change) => scheduleDigests(change, change.state, after))
}

async function send(context: JobContext, week: Week, all: DigestReader[]) {
  const { log, site } = context
  const readers = await withoutDigest(context, all)
  if (readers.length === 0) return
  const plan = await planDigests(
    context,
    week,
    readers.map(({ user }) => user),
  )
  await log.commit(async (change) => {
    const { state, now } = change
    if (!realmSettings(state).digest_emails_enabled) return
    const noted = await note(change, readers)
    const wanting = noted
      .flatMap((id) => state.users.get(id) ?? [])
      .filter((user) => wantsDigest(state, user, now))
    await queue(change, site, await plannedDigests(change, plan, wanting))
  })
}

/** Returns the readers who have not had the digest of their week, as far as this can be told without a change. */
async function withoutDigest({ log, read }: JobContext, readers: DigestReader[]): Promise<DigestReader[]> {
  const ids = readers.map(({ user }) => user.id)
  const rows = await read.rows<Pick<DigestRow, 'user_id' | 'day'>>(sql`
    SELECT user_id, day FROM digest WHERE realm_id = ${log.state.id} AND user_id = ANY(${ids}::integer[])`)
  const days = new Map(rows.map(({ user_id, day }) => [user_id, day]))
  // A day as far in the future is one that the server had while its clock was ahead.
  return readers.filter(
    ({ user, day }) => Math.abs(day - (days.get(user.id) ?? Number.NEGATIVE_INFINITY)) >= 7,
  )
}

/** Records the day of the readers' digests. Returns the readers who have had none in the week before it. */
async function note(change: Change, readers: DigestReader[]): Promise<number[]> {
  const rows = await change.run(sql<Pick<DigestRow, 'user_id'>>`
    INSERT INTO digest AS d (realm_id, user_id, day)
    SELECT ${change.state.id}, r.user_id, r.day
    FROM unnest(${readers.map(({ user }) => user.id)}::integer[], ${readers.map(({ day }) => day)}::integer[])
      AS r(user_id, day)
    ON CONFLICT (realm_id, user_id) DO UPDATE SET day = excluded.day WHERE abs(d.day - excluded.day) >= 7
    RETURNING user_id`)
  return rows.map((row) => row.user_id)
}

async function queue(change: Change, site: Site, digests: ReadonlyMap<AccountRow, Digest>) {
  const { state } = change
  const readers = [...digests.keys()]
  const seconds = accountMailLimits.unsubscribeLinkSeconds
  const keys = await addLinks(
    change,
    readers.map(({ id, delivery_email }) => {
      return { kind: 'unsubscribe-digests', userId: id, email: delivery_email, seconds }
    }),
  )
  const mails = readers.map((reader, index) => {
    const unsubscribeUrl = `${realmUrl(site, state.row)}/unsubscribe/${keys[index]}`
    const mail = digestMail(state, site, reader, must(digests.get(reader), 'digest'), unsubscribeUrl)
    return { ...mail, kind: 'digest', to: reader.delivery_email, userId: reader.id, unsubscribeUrl }
  })
  await queueMails(change, mails)
}
