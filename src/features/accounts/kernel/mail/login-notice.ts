import { sql } from 'kysely'
import type { LoginRow } from '../../../../db/schema.ts'
import { finishJob, type JobHandler, parkJob, scheduleJob } from '../../../../jobs/job.ts'
import type { Change } from '../../../../log/change.ts'
import { userSetting } from '../../../kernel/users/settings.ts'
import { mailLogin } from './account-mails.ts'
import { accountMailLimits } from './limits.ts'

const jobKind = 'login notice'

/**
 * Schedules a mail about a login with a new client or from a new address. Sends nothing to users who turned this off,
 * or whose account is new.
 */
export async function noticeLogin(change: Change, login: LoginRow) {
  const user = change.state.users.get(login.user_id)
  if (!user || !userSetting(user, 'enable_login_emails')) return
  if (change.now - user.created_at < accountMailLimits.newAccountSeconds) return
  const [known] = await change.run(sql`
    SELECT 1 FROM login WHERE realm_id = ${change.state.id} AND user_id = ${login.user_id} AND id < ${login.id}
      AND client = ${login.client} AND ip = ${login.ip} LIMIT 1`)
  if (!known) await scheduleJob(change, jobKind, login.id, change.now)
}

export const loginNotices: JobHandler = {
  kind: jobKind,
  within: 0,

  async run({ log, site }, job) {
    await log.commit(async (change) => {
      if (!(await finishJob(change, job))) return
      const [login] = await change.run(
        sql<LoginRow>`SELECT * FROM login WHERE realm_id = ${change.state.id} AND id = ${job.subject_id}`,
      )
      const user = login && change.state.users.get(login.user_id)
      if (user?.is_active) await mailLogin(change, site, user, login!)
    })
  },

  async giveUp({ log }, job, reason) {
    await log.commit(async (change) => void (await parkJob(change, job, reason)))
  },
}
