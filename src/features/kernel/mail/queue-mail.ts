import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { scheduleMissingJobs } from '../../../jobs/job.ts'
import { firstIn } from '../../../lib/must.ts'
import type { Change } from '../../../log/change.ts'
import type { Letter } from './letter.ts'
import { mailLimits } from './limits.ts'

/** The kind of the jobs that deliver mails. Their subject is the mail's id. */
export const deliveryJob = 'mail'

export type Mail = Letter & {
  /** The purpose, in one or two lower-case words. Administrators read it in the list of mails. */
  kind: string
  /** A plain address, checked by isEmail(). */
  to: string
  /** One line. Line breaks in it become spaces. */
  subject: string
  /** The user whose account the mail is about. */
  userId?: number
  /** The address where the reader can unsubscribe from mails of this kind without logging in. */
  unsubscribeUrl?: string | undefined
  /** The address for replies, which post in the conversation that the mail is about. */
  replyTo?: string | undefined
}

/**
 * Puts a mail into the outbox as a part of a change: it is sent only after the change is durable. Text and HTML come
 * from letter(). Without a mail server the mail stays in the outbox, where `rookery mail` shows it. Returns its id.
 */
export async function queueMail(change: Change, mail: Mail): Promise<number> {
  return firstIn(await queueMails(change, [mail]))
}

/** Puts many mails into the outbox, in one statement. Returns their ids, in order. */
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
    DELETE FROM mail WHERE realm_id = ${change.state.id} AND created_at < ${now - mailLimits.mailKeepDays * 86_400}`)
  return rows.map(({ id }) => id)
}

function rowOf({ kind, to, subject, text, html, userId, unsubscribeUrl, replyTo }: Mail, now: number) {
  return {
    kind,
    user_id: userId ?? null,
    recipient: to,
    subject: subject.replace(/\s+/g, ' ').trim(),
    text,
    html,
    unsubscribe_url: unsubscribeUrl ?? null,
    reply_to: replyTo ?? null,
    message_id: randomUUID(),
    created_at: now,
    changed_at: now,
  }
}
