import { sql } from 'kysely'
import { requireUser } from '../../../http/access.ts'
import { command } from '../../../http/endpoint.ts'
import { pathInteger } from '../../../http/params.ts'
import { cancelJob } from '../../../jobs/job.ts'
import { noSuchScheduled, scheduledJobKind } from '../kernel/scheduled/scheduled.ts'
import { scheduledRemoved } from './scheduled_messages.event.ts'

export const deleteScheduled = command('DELETE /scheduled_messages/{scheduled_message_id}', {
  summary: 'Delete a scheduled message',
  since: 173,
  access: requireUser,
  params: { scheduled_message_id: pathInteger() },
  returns: {},
  async handle({ realm, me, params, commit }) {
    const id = params.scheduled_message_id
    await commit(async (change) => {
      const gone = await change.run(sql`
        DELETE FROM scheduled_message
        WHERE realm_id = ${realm.id} AND sender_id = ${me.id} AND id = ${id} RETURNING id`)
      if (gone.length === 0) throw noSuchScheduled()
      await cancelJob(change, scheduledJobKind, id)
      change.emit(scheduledRemoved(id), { users: [me.id] })
    })
    return {}
  },
})
