import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { MailError, type OutgoingMail } from '../../../adapters/mail/mail-transport.ts'
import type { MailRow } from '../../../db/schema.ts'
import {
  cancelJob,
  finishJob,
  type JobContext,
  type JobHandler,
  scheduleJob,
  TryLater,
} from '../../../jobs/job.ts'
import { guard } from '../../../lib/guard.ts'
import { must } from '../../../lib/must.ts'
import type { Change } from '../../../log/change.ts'
import { deliveryJob } from '../../kernel/mail/queue-mail.ts'
import { deliveryLimits } from './limits.ts'

/** The state of a mail. The mail server may have accepted a mail in the states `handing-over` and `uncertain`. */
type MailState = 'waiting' | 'handing-over' | 'sent' | 'failed' | 'uncertain'

/**
 * Delivers a mail at most once. The state `handing-over` is written before the mail server receives the content. If a
 * server crashes in between, no other one tries again.
 */
export const delivery: JobHandler = {
  kind: deliveryJob,
  within: deliveryLimits.mailLongestPauseSeconds,
  isPossible: (adapters) => adapters.mail !== undefined,
  // Mail servers often limit concurrent connections.
  concurrency: deliveryLimits.concurrentMails,

  async run(context, job) {
    const { log, site, adapters, stopping, report } = context
    const mail = await mailById(context, job.subject_id)
    if (mail?.state === 'handing-over') return settle(context, mail, 'uncertain', crashed)
    if (mail?.state !== 'waiting') return void (await log.commit((change) => finishJob(change, job)))
    if (mail.created_at < site.clock() - deliveryLimits.mailTryDays * 86_400) {
      return settle(context, mail, 'failed', mail.error ?? 'It has waited too long.')
    }
    let held = mail
    try {
      const sending = must(adapters.mail, 'mail server').send(outgoing(context, mail), async () => {
        if (stopping.aborted) throw new TakenUp()
        held = await beginHandOver(context, mail)
      })
      await unlessStopped(sending, stopping, () => held === mail)
    } catch (error) {
      if (error instanceof TakenUp) return
      if (!(error instanceof MailError)) throw error
      // A permanent refusal concerns only this mail.
      if (error.fate !== 'permanent') report(error)
      return settle(context, held, stateAfter[error.fate], error.message)
    }
    await settle(context, held, 'sent', null)
  },

  async giveUp(context, job, reason) {
    const mail = await mailById(context, job.subject_id)
    if (!mail) return void (await context.log.commit((change) => finishJob(change, job)))
    await settle(context, mail, mail.state === 'handing-over' ? 'uncertain' : 'failed', mail.error ?? reason)
  },
}

const stateAfter = { temporary: 'waiting', permanent: 'failed', uncertain: 'uncertain' } as const

/** Another node hands the mail over, or will do so. */
class TakenUp extends Error {}

const crashed = 'The server ended while it handed the mail over.'

/** Waits for a mail to be sent. Stops waiting if the node shuts down before the mail server has received any of it. */
async function unlessStopped(sending: Promise<void>, stopping: AbortSignal, isUnheard: () => boolean) {
  const sent = new AbortController()
  const stopped = new Promise<never>((_, reject) => {
    const leave = guard(reject, () => isUnheard() && reject(new TryLater('The server stops.', 0)))
    stopping.addEventListener('abort', leave, { signal: sent.signal })
  })
  try {
    await Promise.race([sending, stopped])
  } finally {
    sent.abort()
  }
}

async function mailById({ log, read }: JobContext, id: number): Promise<MailRow | undefined> {
  const [mail] = await read.rows<MailRow>(
    sql`SELECT * FROM mail WHERE realm_id = ${log.state.id} AND id = ${id}`,
  )
  return mail
}

function outgoing({ log }: JobContext, mail: MailRow): OutgoingMail {
  return {
    to: mail.recipient,
    sender: log.state.row.name,
    title: mail.subject,
    text: mail.text ?? '',
    html: mail.html,
    messageId: mail.message_id,
    unsubscribeUrl: mail.unsubscribe_url,
    replyTo: mail.reply_to,
    date: mail.created_at,
  }
}

/** Claims the mail. No other node takes it until it counts as uncertain. */
function beginHandOver({ log }: JobContext, mail: MailRow): Promise<MailRow> {
  return log.commit(async (change) => {
    const tries = mail.tries + 1
    const begun = await change.run(sql`
      UPDATE mail SET state = 'handing-over', tries = ${tries}, changed_at = ${change.now}
      WHERE realm_id = ${change.state.id} AND id = ${mail.id} AND state = 'waiting' AND tries = ${mail.tries}
      RETURNING 1 AS one`)
    if (begun.length === 0) throw new TakenUp()
    await scheduleJob(change, deliveryJob, mail.id, change.now + deliveryLimits.mailUncertainSeconds)
    return { ...mail, state: 'handing-over', tries }
  })
}

/**
 * Writes the outcome of a mail unless another node has taken it since `held` was read. The mail server has already
 * responded, so a write waits for a while until the database is back.
 */
async function settle({ log }: JobContext, held: MailRow, state: MailState, error: string | null) {
  for (let tries = 1; ; tries++) {
    try {
      return await log.commit((change) => putState(change, held, state, error))
    } catch (problem) {
      if (tries === 5) throw problem
      await sleep(1000 * tries)
    }
  }
}

async function putState(change: Change, held: MailRow, state: MailState, error: string | null) {
  const tries = held.tries + (held.state === 'waiting' ? 1 : 0)
  const isSent = state === 'sent'
  // The outcome "sent" is valid even if it is written late.
  const states = isSent ? [held.state, 'uncertain'] : [held.state]
  const changed = await change.run(sql`
    UPDATE mail SET state = ${state}, error = ${error}, changed_at = ${change.now}, tries = ${tries},
      text = CASE WHEN ${isSent} THEN NULL ELSE text END, html = CASE WHEN ${isSent} THEN NULL ELSE html END,
      unsubscribe_url = CASE WHEN ${isSent} THEN NULL ELSE unsubscribe_url END,
      reply_to = CASE WHEN ${isSent} THEN NULL ELSE reply_to END
    WHERE realm_id = ${change.state.id} AND id = ${held.id} AND tries = ${held.tries} AND state = ANY(${states}::text[])
    RETURNING 1 AS one`)
  if (changed.length === 0) return
  if (state === 'waiting') await scheduleJob(change, deliveryJob, held.id, change.now + pauseAfter(tries))
  else await cancelJob(change, deliveryJob, held.id)
}

function pauseAfter(tries: number) {
  return Math.min(
    deliveryLimits.mailFirstPauseSeconds * 2 ** (tries - 1),
    deliveryLimits.mailLongestPauseSeconds,
  )
}
