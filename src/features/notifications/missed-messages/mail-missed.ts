import { sql } from 'kysely'
import type { AccountRow, MessageRow } from '../../../db/schema.ts'
import { finishJob, type JobContext, type JobHandler, parkJob } from '../../../jobs/job.ts'
import { realmUrl } from '../../../lib/site.ts'
import type { Change } from '../../../log/change.ts'
import { accountMailLimits } from '../../accounts/kernel/mail/limits.ts'
import { addLink } from '../../kernel/mail/links.ts'
import { queueMail } from '../../kernel/mail/queue-mail.ts'
import { visibleIn, visibleSql } from '../../kernel/messages/access.ts'
import { removedText } from '../../kernel/messages/message-text.ts'
import { settingLimits } from '../../organization/kernel/users/limits.ts'
import { missedLimits } from '../kernel/missed-messages/limits.ts'
import { missedMailJob } from '../kernel/missed-messages/record-missed-messages.ts'
import { missedMail, type UnreadMessage } from './missed-mail.ts'

/**
 * Mails a user their missed messages: all that are still unread and still readable, in one mail. One change checks for
 * such messages and puts the mail into the outbox.
 */
export const missedMailing: JobHandler = {
  kind: missedMailJob,
  within: settingLimits.mailBatchingSeconds,
  isPossible: (adapters) => adapters.mail !== undefined,

  async run(context, job) {
    await context.log.commit(async (change) => {
      if (!(await finishJob(change, job))) return
      const user = change.state.users.get(job.subject_id)
      if (!user?.is_active) return forget(change, job.subject_id)
      const messages = await unreadOf(change, user)
      await forget(change, user.id)
      if (messages.length > 0) await queue(context, change, user, messages)
    })
  },

  async giveUp({ log }, job, reason) {
    await log.commit(async (change) => void (await parkJob(change, job, reason)))
  },
}

/** Returns the oldest of them, but for those whose text was removed. Each row contains the total number. */
async function unreadOf(change: Change, user: AccountRow): Promise<UnreadMessage[]> {
  const { state } = change
  const noted = await change.run(sql<Pick<MessageRow, 'recipient_id'>>`
    SELECT DISTINCT m.recipient_id FROM missed_message x JOIN message m ON m.realm_id = x.realm_id AND m.id = x.message_id
    WHERE x.realm_id = ${state.id} AND x.user_id = ${user.id}`)
  if (noted.length === 0) return []
  const visible = visibleIn(
    state,
    user,
    noted.map((row) => row.recipient_id),
  )
  return change.run(sql<UnreadMessage>`
    SELECT m.id, m.recipient_id, m.sender_id, m.topic, m.rendered_content, count(*) OVER () AS total FROM missed_message x JOIN message m ON m.realm_id = x.realm_id AND m.id = x.message_id
    LEFT JOIN read_state s ON s.realm_id = m.realm_id AND s.user_id = x.user_id AND s.recipient_id = m.recipient_id
    WHERE x.realm_id = ${state.id} AND x.user_id = ${user.id} AND NOT coalesce(s.read @> m.id, false)
      AND m.content <> ${removedText}
      AND ${visibleSql(visible)}
    ORDER BY m.id LIMIT ${missedLimits.missedMessagesLookedAt}`)
}

function forget(change: Change, userId: number) {
  return change.run(
    sql`DELETE FROM missed_message WHERE realm_id = ${change.state.id} AND user_id = ${userId}`,
  )
}

async function queue({ site }: JobContext, change: Change, user: AccountRow, messages: UnreadMessage[]) {
  const { state } = change
  const email = user.delivery_email
  const seconds = accountMailLimits.unsubscribeLinkSeconds
  const key = await addLink(change, { kind: 'unsubscribe-missed', userId: user.id, email, seconds })
  const unsubscribeUrl = `${realmUrl(site, state.row)}/unsubscribe/${key}`
  const mail = missedMail(state, site, user, messages, unsubscribeUrl)
  await queueMail(change, { ...mail, kind: 'missed messages', to: email, userId: user.id, unsubscribeUrl })
}
