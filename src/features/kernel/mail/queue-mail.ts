import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { scheduleMissingJobs } from '../../../jobs/job.ts'
import { limits } from '../../../lib/limits.ts'
import type { Change } from '../../../log/change.ts'
import type { Letter } from './letter.ts'

/** The kind of the jobs that deliver mails; their subject is the mail's id. */
export const deliveryJob = 'mail'

export type Mail = Letter & {
  /** What it is for, in a word or two of small letters: what admins read in the list of mails. */
  kind: string
  /** A plain address, checked by isEmail(). */
  to: string
  /** One line; breaks in it become spaces. */
  subject: string
  /** Whose account it is about. */
  userId?: number
  /** Where its reader can stop mails of this kind without logging in. */
  unsubscribeUrl?: string
}

/**
 * Puts a mail into the outbox, as a part of a change: it goes out after, and only if, that becomes durable. Text and
 * HTML come from letter(). Without a mail server it waits there, for `rookery mail`. Answers its id.
 */
export async function queueMail(change: Change, mail: Mail): Promise<number> {
  const [id] = await queueMails(change, [mail])
  return id!
}

/** The same for many mails at once; answers their ids, in order. */
export async function queueMails(change: Change, mails: Mail[]): Promise<number[]> {
  const { now } = change
  const rows = await change.insertAll(
    'mail',
    mails.map((mail) => rowOf(mail, now)),
  )
  await scheduleMissingJobs(
    change,
    deliveryJob,
    rows.map(({ id }) => ({ subjectId: id, dueAt: now })),
  )
  await change.run(sql`
    DELETE FROM mail WHERE realm_id = ${change.state.id} AND created_at < ${now - limits.mailKeepDays * 86_400}`)
  return rows.map(({ id }) => id)
}

function rowOf({ kind, to, subject, text, html, userId, unsubscribeUrl }: Mail, now: number) {
  return {
    kind,
    user_id: userId ?? null,
    recipient: to,
    subject: subject.replace(/\s+/g, ' ').trim(),
    text,
    html,
    unsubscribe_url: unsubscribeUrl ?? null,
    message_id: randomUUID(),
    created_at: now,
    changed_at: now,
  }
}
