import { sql } from 'kysely'
import { requireUser } from '../../../http/access.ts'
import { command } from '../../../http/endpoint.ts'
import { pathInteger } from '../../../http/params.ts'
import { cancelJob } from '../../../jobs/job.ts'
import { reminderRemoved } from './reminders.event.ts'
import { noSuchReminder, reminderJobKind } from './reminders.ts'

export const deleteReminder = command('DELETE /reminders/{reminder_id}', {
  summary: 'Delete a reminder',
  since: 399,
  access: requireUser,
  params: { reminder_id: pathInteger() },
  returns: {},
  async handle({ realm, me, params, commit }) {
    const id = params.reminder_id
    await commit(async (change) => {
      const gone = await change.run(sql`
        DELETE FROM reminder WHERE realm_id = ${realm.id} AND user_id = ${me.id} AND id = ${id} RETURNING id`)
      if (gone.length === 0) throw noSuchReminder()
      await cancelJob(change, reminderJobKind, id)
      change.emit(reminderRemoved(id), { users: [me.id] })
    })
    return {}
  },
})
